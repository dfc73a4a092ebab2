//! Paths of fields, as kube-apiserver prints them.

use std::borrow::Cow;
use std::fmt;

/// One step of a [`FieldPath`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// A field of an object: `.name`.
    Name(Cow<'static, str>),
    /// A key of a map: `[key]`, without quotes or escapes.
    Key(Box<str>),
    /// An item of a list: `[3]`.
    Index(usize),
}

impl Segment {
    /// The key of the step in a mapping; `None` for an index.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Key(key) => Some(key),
            Self::Index(_) => None,
        }
    }
}

/// The path of a field from the root of its object, such as `spec.versions[0].schema`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath {
    segments: Vec<Segment>,
}

impl FieldPath {
    /// The path of the root.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The path of these field names.
    #[must_use]
    pub fn of_names<const N: usize>(names: [&'static str; N]) -> Self {
        Self { segments: names.into_iter().map(|name| Segment::Name(Cow::Borrowed(name))).collect() }
    }

    /// Its steps, from the root.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether it is the path of the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The last name with the following keys and indices, such as `hosts[0]`, in backticks; `the value` at the root.
    #[must_use]
    pub fn ending(&self) -> String {
        let is_name = |step: &Segment| matches!(step, Segment::Name(_));
        let start = self.segments.iter().rposition(is_name).unwrap_or_default();
        match self.segments.get(start..).unwrap_or_default() {
            [] => "the value".to_owned(),
            last => format!("`{}`", Self::from(last.to_vec())),
        }
    }

    /// The last step.
    #[must_use]
    pub fn last(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// Adds a step.
    pub fn push(&mut self, segment: Segment) {
        self.segments.push(segment);
    }

    /// Adds a field name.
    pub fn push_name(&mut self, name: impl Into<Cow<'static, str>>) {
        self.push(Segment::Name(name.into()));
    }

    /// Adds a key of a map.
    pub fn push_key(&mut self, key: &str) {
        self.push(Segment::Key(key.into()));
    }

    /// Adds an index.
    pub fn push_index(&mut self, index: usize) {
        self.push(Segment::Index(index));
    }

    /// Removes the last step.
    pub fn pop(&mut self) -> Option<Segment> {
        self.segments.pop()
    }

    /// Keeps the first `len` steps.
    pub fn truncate(&mut self, len: usize) {
        self.segments.truncate(len);
    }

    /// Adds all steps of `tail`.
    pub fn extend(&mut self, tail: &[Segment]) {
        self.segments.extend_from_slice(tail);
    }

    /// The path with one more field name.
    #[must_use]
    pub fn child(&self, name: impl Into<Cow<'static, str>>) -> Self {
        self.with(Segment::Name(name.into()))
    }

    /// The path with one more key of a map.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.into()))
    }

    /// The path with one more index.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    /// The path followed by `tail`.
    #[must_use]
    pub fn join(&self, tail: &[Segment]) -> Self {
        let mut path = self.clone();
        path.extend(tail);
        path
    }

    /// The path of the field's parent; `None` at the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, rest) = self.segments.split_last()?;
        Some(Self { segments: rest.to_vec() })
    }

    /// Whether `prefix` is this path or the path of an ancestor.
    #[must_use]
    pub fn starts_with(&self, prefix: &Self) -> bool {
        self.segments.starts_with(&prefix.segments)
    }

    /// The steps after `prefix`, if the path starts with it.
    #[must_use]
    pub fn strip_prefix(&self, prefix: &Self) -> Option<&[Segment]> {
        self.segments.strip_prefix(prefix.segments.as_slice())
    }

    fn with(&self, segment: Segment) -> Self {
        let mut path = self.clone();
        path.push(segment);
        path
    }
}

impl From<Vec<Segment>> for FieldPath {
    fn from(segments: Vec<Segment>) -> Self {
        Self { segments }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Name(name) if at == 0 => f.write_str(name)?,
                Segment::Name(name) => write!(f, ".{name}")?,
                Segment::Key(key) => write!(f, "[{key}]")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_the_server_does() {
        let path =
            FieldPath::of_names(["spec", "versions"]).index(0).child("schema").key("a.b").child("type");
        assert_eq!(path.to_string(), "spec.versions[0].schema[a.b].type");
        assert_eq!(FieldPath::root().to_string(), "");
    }

    #[test]
    fn prefixes_are_whole_steps() {
        let long = FieldPath::of_names(["spec", "names", "kind"]);
        assert!(long.starts_with(&FieldPath::of_names(["spec", "names"])));
        assert!(!long.starts_with(&FieldPath::of_names(["spec", "name"])));
        assert_eq!(long.strip_prefix(&FieldPath::of_names(["spec"])).map(<[_]>::len), Some(2));
        assert_eq!(long.parent(), Some(FieldPath::of_names(["spec", "names"])));
    }
}
