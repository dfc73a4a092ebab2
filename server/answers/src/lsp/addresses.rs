//! Addresses of files. Editors write the address of one file differently: `%40` or `@`, `c%3A` or `C:`. So files are
//! compared by their paths, never by their addresses.

use std::path::{Path, PathBuf};

use ls_types::Uri;

/// The path of the file at `uri`, in the form in which this system prints paths. `None` for documents that are not
/// in a file, such as `untitled:Untitled-1` or a version in git, and in browsers, which have no files.
#[must_use]
pub fn file_path(uri: &Uri) -> Option<PathBuf> {
    if cfg!(target_family = "wasm") || !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    let path = uri.path().decode().to_string_lossy();
    if path.is_empty() {
        return None;
    }
    if cfg!(windows) {
        let host = uri.authority().map_or("", |authority| authority.host());
        return Some(windows_path(host, &path).into());
    }
    Some(PathBuf::from(path.into_owned()))
}

/// Whether resources are checked with the definitions in the document at `uri`: it is a file, or will be one. Editors
/// also open other versions of files, such as `git:/crd.yaml`, which must not replace the current ones.
#[must_use]
pub fn belongs_to_workspace(uri: &Uri) -> bool {
    ["file", "untitled"].iter().any(|scheme| uri.scheme().as_str().eq_ignore_ascii_case(scheme))
}

/// The address of the file at `path`; `None` for a relative path to a file that does not exist.
#[must_use]
pub fn file_uri(path: &Path) -> Option<Uri> {
    Uri::from_file_path(path)
}

/// A path with backslashes and a drive in upper case, as the system writes both when it resolves a path.
fn windows_path(host: &str, path: &str) -> String {
    let path = path.replace('/', "\\");
    if !host.is_empty() && host != "localhost" {
        return format!(r"\\{host}{path}");
    }
    let path = path.strip_prefix('\\').unwrap_or(&path);
    match path.split_at_checked(1) {
        Some((drive, rest)) if rest.starts_with(':') => format!("{}{rest}", drive.to_ascii_uppercase()),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    #[cfg(unix)]
    fn addresses_of_one_file_have_one_path() {
        for uri in ["file:///a/b%40c%20%28d%29.yaml", "file:///a/b@c%20(d).yaml", "FILE:///a/b@c%20(d).yaml"]
        {
            assert_eq!(file_path(&uri.parse().unwrap()).unwrap(), Path::new("/a/b@c (d).yaml"), "{uri}");
        }
    }

    #[test]
    fn documents_without_a_file_have_no_path() {
        for uri in ["untitled:Untitled-1", "git:/a/b.yaml?ref=HEAD", "fugitive:///a/.git//0/b.yaml", "file:"]
        {
            assert_eq!(file_path(&uri.parse().unwrap()), None, "{uri}");
        }
    }

    #[test]
    fn paths_on_windows_have_backslashes_and_an_upper_case_drive() {
        assert_eq!(windows_path("", "/c:/crds/widget.yaml"), r"C:\crds\widget.yaml");
        assert_eq!(windows_path("", "/C:/crds/widget.yaml"), r"C:\crds\widget.yaml");
        assert_eq!(windows_path("localhost", "/d:/widget.yaml"), r"D:\widget.yaml");
        assert_eq!(windows_path("server", "/share/widget.yaml"), r"\\server\share\widget.yaml");
    }
}
