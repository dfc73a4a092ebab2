//! Opening files that the user did not name. A foreign repository may hold anything under the names that the server looks for:
//! links to devices, pipes that never end, endless files. This module reads only regular files of limited size, and only files
//! of the repository if the repository chose the path.

use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The directory that must contain all files that a repository names: its top, or, outside git, the directory to which the names
/// are relative.
#[derive(Clone, Debug)]
pub(crate) struct RepositoryRoot {
    /// The directory without symbolic links. `None` if it cannot be read; then it contains nothing.
    top: Option<PathBuf>,
}

impl RepositoryRoot {
    /// The repository that `directory` is in.
    pub(crate) fn of(directory: &Path) -> Self {
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let real = dunce::canonicalize(directory).ok();
        let mut above = real.iter().flat_map(|real| real.ancestors()).take_while(|above| !is_shared(above));
        let top = above.find(|above| is_top(above));
        Self { top: top.map(Path::to_owned).or(real) }
    }

    /// `path` without symbolic links, if it leads into the repository.
    pub(crate) fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let real = match dunce::canonicalize(path) {
            // A link of the process itself, such as /dev/stdin, leads to a file without a path.
            Err(_) if path.metadata().is_ok() => return Err(refused(path, Refusal::Outside)),
            real => real?,
        };
        if self.contains(&real) { Ok(real) } else { Err(refused(path, Refusal::Outside)) }
    }

    /// Whether the absolute path, which has neither `..` nor symbolic links, is in the repository.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        self.top.as_deref().is_some_and(|top| path.starts_with(top))
    }

    /// The bytes of the regular file at `path`, up to one more than `limit`.
    pub(crate) fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        bytes_of(open_regular(path, &self.canonical(path)?)?, limit)
    }

    /// The text of the file at `path`, if it is no larger than `limit` bytes.
    pub(crate) fn text(&self, path: &Path, limit: usize) -> io::Result<String> {
        limited_text(path, self.read(path, limit)?, limit)
    }
}

/// The reason why a path that a file of a repository names is never opened, if it is not relative to the directory of that
/// file. Opening a path on another machine would reveal the user's identity to it.
pub(crate) fn outside_reason(named: &str) -> Option<&'static str> {
    if named.starts_with("\\\\") || named.starts_with("//") {
        return Some("this is a path on another machine");
    }
    if named.starts_with('~') {
        return Some("`~` is a home directory");
    }
    let is_drive = matches!(named.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    let is_absolute = is_drive || named.starts_with(['/', '\\']) || Path::new(named).has_root();
    is_absolute.then_some("this is an absolute path")
}

/// Whether everybody may put files into `directory` that nobody else may remove, as in `/tmp`. The owner of such a file need
/// not be the owner of the directories below.
pub(crate) fn is_shared(directory: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // The sticky bit, and write permission for others.
        const SHARED: u32 = 0o1002;
        directory.metadata().is_ok_and(|of| of.mode() & SHARED == SHARED)
    }
    #[cfg(not(unix))]
    {
        let _ = directory;
        false
    }
}

/// Whether `directory` is the top of a work tree.
fn is_top(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}

/// The bytes of a file that was found, not named, up to one more than `limit`. A symbolic link is followed only to regular files
/// of the same repository.
pub(crate) fn read_found(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    if path.symlink_metadata()?.is_symlink() {
        return RepositoryRoot::of(path.parent().unwrap_or(path)).read(path, limit);
    }
    bytes_of(open_regular(path, path)?, limit)
}

/// The text of a file that was found, not named, if it is no larger than `limit` bytes.
pub(crate) fn found_text(path: &Path, limit: usize) -> io::Result<String> {
    limited_text(path, read_found(path, limit)?, limit)
}

/// The bytes of a regular file that the user named, up to one more than `limit`; symbolic links may lead anywhere.
pub(crate) fn regular(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let real = path.symlink_metadata()?.is_symlink().then(|| dunce::canonicalize(path)).transpose()?;
    bytes_of(open_regular(path, real.as_deref().unwrap_or(path))?, limit)
}

/// The text of a regular file that the user named, if it is no larger than `limit` bytes; symbolic links may lead anywhere.
pub(crate) fn regular_text(path: &Path, limit: usize) -> io::Result<String> {
    limited_text(path, regular(path, limit)?, limit)
}

/// The bytes of a file or pipe that the user named, up to one more than `limit`.
pub(crate) fn read_named(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    bytes_of(File::open(path)?, limit)
}

/// The text of a file or pipe that the user named, if it is no larger than `limit` bytes.
pub(crate) fn named_text(path: &Path, limit: usize) -> io::Result<String> {
    limited_text(path, read_named(path, limit)?, limit)
}

/// Opens the regular file at `real`, a path without symbolic links, without ever blocking; errors name `path`.
fn open_regular(path: &Path, real: &Path) -> io::Result<File> {
    // Opening a device can have side effects.
    is_regular(path, &real.symlink_metadata()?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(real)?;
    // The file may have been replaced meanwhile.
    is_regular(path, &file.metadata()?)?;
    Ok(file)
}

fn is_regular(path: &Path, metadata: &Metadata) -> io::Result<()> {
    match metadata.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(refused(path, Refusal::NoFile)),
    }
}

fn bytes_of(file: File, limit: usize) -> io::Result<Vec<u8>> {
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_or(limit, |length| length.min(limit)));
    file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn limited_text(path: &Path, bytes: Vec<u8>, limit: usize) -> io::Result<String> {
    if bytes.len() > limit {
        return Err(refused(path, Refusal::TooLarge(limit)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8"))
}

fn refused(path: &Path, refusal: Refusal) -> io::Error {
    tracing::warn!(path = %path.display(), "not read: {refusal}");
    io::Error::new(io::ErrorKind::PermissionDenied, refusal)
}

/// Whether this module refused to read the file, rather than the system failing to.
pub(crate) fn is_refusal(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Refusal>())
}

/// The reason why a file is not read.
#[derive(Debug)]
enum Refusal {
    NoFile,
    Outside,
    /// The limit, in bytes.
    TooLarge(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFile => {
                write!(out, "this is not a regular file; devices, pipes and sockets are not read")
            }
            Self::Outside => write!(out, "the symbolic link leads out of the repository; it is not followed"),
            Self::TooLarge(limit) => {
                write!(out, "the file is larger than {} KiB and is not read", limit / 1024)
            }
        }
    }
}

impl std::error::Error for Refusal {}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;

    const LIMIT: usize = 100;

    #[test]
    fn only_regular_files_of_the_repository_are_read_without_being_named() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for directory in ["outside", "repository/.git", "repository/deep", "repository/folder.yaml"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        for (file, text) in [
            ("outside/secret", "secret"),
            ("repository/plain", "plain"),
            ("repository/large", &*"x".repeat(101)),
        ] {
            fs::write(at(file), text).unwrap();
        }
        mkfifoat(CWD, at("repository/fifo"), Mode::RUSR | Mode::WUSR).unwrap();
        let _socket = UnixListener::bind(at("repository/socket")).unwrap();
        for (link, target) in [
            ("up", "../plain"),
            ("twice", "up"),
            ("zero", "/dev/zero"),
            ("stdin", "/dev/stdin"),
            ("fd", "/proc/self/fd/0"),
            ("out", "../../outside/secret"),
            ("through", "../elsewhere/secret"),
            ("pipe", "../fifo"),
            ("loop", "loop"),
            ("gone", "nothing"),
        ] {
            symlink(target, at("repository/deep").join(link)).unwrap();
        }
        symlink("../outside", at("repository/elsewhere")).unwrap();

        let no_file = "this is not a regular file; devices, pipes and sockets are not read";
        let outside = "the symbolic link leads out of the repository; it is not followed";
        for (path, expected) in [
            ("plain", Ok("plain")),
            ("deep/up", Ok("plain")),
            ("deep/twice", Ok("plain")),
            ("fifo", Err(no_file)),
            ("socket", Err(no_file)),
            ("deep/pipe", Err(no_file)),
            ("deep/zero", Err(outside)),
            ("deep/stdin", Err(outside)),
            ("deep/fd", Err(outside)),
            ("deep/out", Err(outside)),
            ("deep/through", Err(outside)),
            ("folder.yaml", Err("is a directory")),
            ("deep/loop", Err("Too many levels of symbolic links (os error 40)")),
            ("deep/gone", Err("No such file or directory (os error 2)")),
            ("large", Err("the file is larger than 0 KiB and is not read")),
        ] {
            let read = found_text(&at("repository").join(path), LIMIT).map_err(|error| error.to_string());
            assert_eq!(read.as_deref().map_err(|error| &**error), expected, "{path}");
        }
        let inside = RepositoryRoot::of(&at("repository/deep"));
        assert_eq!(inside.text(&at("repository/deep/../plain"), LIMIT).unwrap(), "plain");
        for named in ["../outside/secret", "elsewhere/secret", "/dev/zero"] {
            let error = inside.text(&at("repository").join(named), LIMIT).unwrap_err();
            assert_eq!(error.to_string(), outside, "{named}");
        }
    }

    #[test]
    fn paths_outside_the_directory_are_not_examined() {
        for named in
            [r"\\server\share", "//server/share", "/etc", r"\etc", "~/a", "~user/a", "C:/a", r"c:\a", "C:a"]
        {
            assert!(outside_reason(named).is_some(), "{named}");
        }
        for named in ["a", "../a", "a/~b", "ab:c", ".", "**/*.yaml"] {
            assert_eq!(outside_reason(named), None, "{named}");
        }
    }

    #[test]
    fn without_git_only_the_directory_itself_is_read() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("archive")).unwrap();
        fs::write(root.path().join("a"), "a").unwrap();
        fs::write(root.path().join("archive/b"), "b").unwrap();
        symlink("../a", root.path().join("archive/up")).unwrap();
        symlink("b", root.path().join("archive/beside")).unwrap();
        assert!(read_found(&root.path().join("archive/up"), LIMIT).is_err());
        assert_eq!(read_found(&root.path().join("archive/beside"), LIMIT).unwrap(), b"b");
    }

    #[test]
    fn named_files_may_be_elsewhere_and_have_a_size_limit() {
        let root = tempfile::tempdir().unwrap();
        let link = root.path().join("link");
        symlink("/dev/zero", &link).unwrap();
        assert!(regular(&link, LIMIT).is_err());
        assert_eq!(read_named(&link, LIMIT).unwrap().len(), LIMIT + 1);
    }
}
