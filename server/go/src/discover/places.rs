//! The folders to which a script refers relative to itself: the folder that it is called in, and the folder of its file.

use std::path::Path;

use super::script_words::{HERE, SCRIPT};

/// The folders that the words of a script refer to.
pub(super) struct Places<'s> {
    /// The folder that the script is called in.
    called_in: &'s Path,
    /// The folder of the script's file.
    script: &'s Path,
}

impl<'s> Places<'s> {
    pub(super) fn of(file: &'s Path, called_in: &'s Path) -> Self {
        Self { called_in, script: file.parent().unwrap_or(called_in) }
    }

    /// A word with absolute paths.
    pub(super) fn absolute(&self, word: &str) -> String {
        from_folder(&word.replace(HERE, &self.called_in.display().to_string()), self.script)
    }

    /// A word with paths relative to the folder that the script is called in.
    pub(super) fn relative(&self, word: &str) -> String {
        let script = self.script.strip_prefix(self.called_in).unwrap_or(self.script);
        from_folder(&word.replace(HERE, "."), script)
    }
}

/// A word with the folder of the script inserted, and with each `..` directly after it resolved.
fn from_folder(word: &str, script: &Path) -> String {
    let mut parts = word.split(SCRIPT);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mut folder, mut rest) = (script.to_owned(), part);
        while let Some(below) = rest.strip_prefix("/..").filter(|below| !below.starts_with('.'))
            && folder.pop()
        {
            rest = below;
        }
        let is_there = folder.as_os_str().is_empty();
        out.push_str(&if is_there { ".".into() } else { folder.to_string_lossy() });
        out.push_str(rest);
    }
    out
}
