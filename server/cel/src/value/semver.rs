//! Semantic versions, parsed as by the API server's library, with its error texts.

use std::cmp::Ordering;
use std::fmt;

use super::{EvalError, Outcome, quote};

/// A semantic version.
#[derive(Clone, Debug)]
pub struct Semver {
    pub(crate) major: u64,
    pub(crate) minor: u64,
    pub(crate) patch: u64,
    prerelease: Vec<Identifier>,
    build: String,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Identifier {
    // Numbers precede words.
    Number(u64),
    Word(String),
}

impl Semver {
    /// `1.2.3-a.1+b`
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        if text.is_empty() {
            return Err(EvalError::new("Version string empty"));
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(EvalError::new("No Major.Minor.Patch elements found"));
        };
        let major = number(major, "major", "Major")?;
        let minor = number(minor, "minor", "Minor")?;
        let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
        let (patch, prerelease) =
            rest.split_once('-').map_or((rest, None), |(patch, pre)| (patch, Some(pre)));
        let patch = number(patch, "patch", "Patch")?;
        let prerelease = prerelease.map(|text| text.split('.').map(part).collect::<Outcome<_>>());
        for word in build.iter().flat_map(|build| build.split('.')) {
            if word.is_empty() {
                return Err(EvalError::new("Build meta data is empty"));
            }
            if !is_word(word) {
                let message = format!("Invalid character(s) found in build meta data {}", quote(word));
                return Err(EvalError::new(message));
            }
        }
        Ok(Self {
            major,
            minor,
            patch,
            prerelease: prerelease.transpose()?.unwrap_or_default(),
            build: build.unwrap_or_default().to_owned(),
        })
    }

    /// The same for versions in a loose notation: `v1.02` is `1.2.0`.
    pub(crate) fn parse_normalized(text: &str) -> Outcome<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_zeros).collect();
        if parts.len() < 3 && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
            return Err(EvalError::new("short version cannot contain PreRelease/Build meta data"));
        }
        parts.resize(3, "0".to_owned());
        Self::parse(&parts.join("."))
    }

    /// The order of versions; build metadata is ignored.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let numbers = (self.major, self.minor, self.patch).cmp(&(other.major, other.minor, other.patch));
        // A version follows its prereleases.
        let release = self.prerelease.is_empty().cmp(&other.prerelease.is_empty());
        numbers.then(release).then_with(|| self.prerelease.cmp(&other.prerelease))
    }
}

fn without_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    let zero = if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
    format!("{zero}{rest}")
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn number(text: &str, name: &str, capital: &str) -> Outcome<u64> {
    if !is_digits(text) {
        let message = format!("Invalid character(s) found in {name} number {}", quote(text));
        return Err(EvalError::new(message));
    }
    if text.len() > 1 && text.starts_with('0') {
        let message = format!("{capital} number must not contain leading zeroes {}", quote(text));
        return Err(EvalError::new(message));
    }
    parse_uint(text)
}

fn parse_uint(text: &str) -> Outcome<u64> {
    let why = if text.is_empty() { "invalid syntax" } else { "value out of range" };
    let wrong = |_| EvalError::new(format!("strconv.ParseUint: parsing {}: {why}", quote(text)));
    text.parse().map_err(wrong)
}

fn part(text: &str) -> Outcome<Identifier> {
    if text.is_empty() {
        return Err(EvalError::new("Prerelease is empty"));
    }
    if is_digits(text) {
        if text.len() > 1 && text.starts_with('0') {
            let text = quote(text);
            let message = format!("Numeric PreRelease version must not contain leading zeroes {text}");
            return Err(EvalError::new(message));
        }
        return parse_uint(text).map(Identifier::Number);
    }
    if is_word(text) {
        return Ok(Identifier::Word(text.to_owned()));
    }
    Err(EvalError::new(format!("Invalid character(s) found in prerelease {}", quote(text))))
}

impl fmt::Display for Semver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (at, part) in self.prerelease.iter().enumerate() {
            f.write_str(if at == 0 { "-" } else { "." })?;
            match part {
                Identifier::Number(number) => write!(f, "{number}")?,
                Identifier::Word(word) => f.write_str(word)?,
            }
        }
        if !self.build.is_empty() {
            write!(f, "+{}", self.build)?;
        }
        Ok(())
    }
}
