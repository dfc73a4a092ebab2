//! `go.mod` and `go.work`.

use std::cmp::Ordering;

/// The contents of a `go.mod` or a `go.work`.
#[derive(Clone, Debug, Default)]
pub struct ModFile {
    /// The path of the module; empty in `go.work`.
    pub module: String,
    /// The release of Go, such as `1.24`.
    pub go: String,
    /// The required modules with their versions.
    pub require: Vec<(String, String)>,
    /// The required modules that only other modules or a `tool` import.
    pub indirect: Vec<String>,
    /// The replacements.
    pub replace: Vec<Replacement>,
    /// The folders that `go.work` names.
    pub used: Vec<String>,
    /// The packages of `tool` directives.
    pub tools: Vec<String>,
}

/// A module in place of another.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The path of the replaced module.
    pub path: String,
    /// The replaced version; `None` for all versions.
    pub version: Option<String>,
    /// The path of a module, or a folder.
    pub new_path: String,
    /// The version of the new module; `None` for a folder.
    pub new_version: Option<String>,
}

impl ModFile {
    /// Parses a file. Unknown lines are skipped.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut file = Self::default();
        let mut block: Option<String> = None;
        for line in text.lines() {
            let (line, comment) = line.split_once("//").unwrap_or((line, ""));
            let line = line.trim();
            let words: Vec<String> = line_words(line);
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            if block.is_some() && words == [")"] {
                block = None;
                continue;
            }
            let verb = match &block {
                Some(verb) => verb.clone(),
                None => {
                    let Some(verb) = words.first().map(|verb| (*verb).to_owned()) else { continue };
                    words.remove(0);
                    if words == ["("] {
                        block = Some(verb);
                        continue;
                    }
                    verb
                }
            };
            if let ("require", Some(path), "indirect") = (&*verb, words.first(), comment.trim()) {
                file.indirect.push((*path).to_owned());
            }
            file.line(&verb, &words);
        }
        file
    }

    fn line(&mut self, verb: &str, words: &[&str]) {
        match (verb, words) {
            ("module", [path]) => self.module = (*path).to_owned(),
            ("go", [version]) => self.go = (*version).to_owned(),
            ("require", [path, version, ..]) => {
                self.require.push(((*path).to_owned(), (*version).to_owned()))
            }
            ("use", [folder]) => self.used.push((*folder).to_owned()),
            ("tool", [path]) => self.tools.push((*path).to_owned()),
            ("replace", words) => {
                let Some(arrow) = words.iter().position(|word| *word == "=>") else { return };
                let (Some(old), Some(new)) = (words.get(..arrow), words.get(arrow + 1..)) else { return };
                let (Some(path), Some(new_path)) = (old.first(), new.first()) else { return };
                let version = |words: &[&str]| words.get(1).map(|version| (*version).to_owned());
                self.replace.push(Replacement {
                    path: (*path).to_owned(),
                    version: version(old),
                    new_path: (*new_path).to_owned(),
                    new_version: version(new),
                });
            }
            _ => {}
        }
    }

    /// The replacement of a version of a module.
    #[must_use]
    pub fn replacement(&self, path: &str, version: &str) -> Option<&Replacement> {
        let mut fitting = self.replace.iter().filter(|replacement| replacement.path == path);
        let exact = fitting.clone().find(|replacement| replacement.version.as_deref() == Some(version));
        exact.or_else(|| fitting.find(|replacement| replacement.version.is_none()))
    }
}

fn line_words(line: &str) -> Vec<String> {
    line.split_whitespace().map(|word| word.trim_matches(['"', '`']).to_owned()).collect()
}

/// Whether a module may contain a package.
pub(crate) fn may_contain(module: &str, package: &str) -> bool {
    package.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A path as the module cache writes it: each capital letter as `!` and the lowercase letter.
pub(super) fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for ch in path.chars() {
        if ch.is_ascii_uppercase() {
            out.push('!');
        }
        out.push(ch.to_ascii_lowercase());
    }
    out
}

/// Compares two versions as semantic versioning does.
#[must_use]
pub fn compare(a: &str, b: &str) -> Ordering {
    let parts = |version: &str| {
        let version = version.trim_start_matches('v').split('+').next().unwrap_or("").to_owned();
        let (numbers, pre) = match version.split_once('-') {
            Some((numbers, pre)) => (numbers.to_owned(), Some(pre.to_owned())),
            None => (version, None),
        };
        let numbers: Vec<u64> = numbers.split('.').map(|part| part.parse().unwrap_or(0)).collect();
        (numbers, pre)
    };
    let ((numbers_a, pre_a), (numbers_b, pre_b)) = (parts(a), parts(b));
    numbers_a.cmp(&numbers_b).then_with(|| match (pre_a, pre_b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) => pre_release(&a, &b),
    })
}

fn pre_release(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => match (a.parse::<u64>(), b.parse::<u64>()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => a.cmp(b),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_mod_is_read() {
        let text = "module example.com/case // ours\n\ngo 1.24\n\nrequire (\n\ta.com/b v1.2.3 // indirect\n)\nrequire c.com/d v0.1.0\n\
                    replace a.com/b => ../b\nreplace c.com/d v0.1.0 => e.com/f v2.0.0\ntool x.com/y\n";
        let file = ModFile::read(text);
        assert_eq!(file.module, "example.com/case");
        assert_eq!(file.go, "1.24");
        assert_eq!(file.require.len(), 2);
        assert_eq!(file.replacement("a.com/b", "v1.2.3").map(|found| &*found.new_path), Some("../b"));
        assert!(file.replacement("c.com/d", "v0.2.0").is_none());
        assert_eq!(file.tools, ["x.com/y"]);
        assert_eq!(file.indirect, ["a.com/b"]);
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(compare("v1.10.0", "v1.9.0"), Ordering::Greater);
        assert_eq!(compare("v1.0.0-rc.1", "v1.0.0"), Ordering::Less);
        assert_eq!(compare("v0.0.0-20240101000000-abc", "v0.0.0-20250101000000-abc"), Ordering::Less);
    }

    #[test]
    fn capitals_are_escaped_in_the_module_cache() {
        assert_eq!(escaped("github.com/Azure/go"), "github.com/!azure/go");
    }
}
