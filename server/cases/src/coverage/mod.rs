//! The parts of a schema that cases accept and reject.

mod branches;
mod items;
mod observe;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;

use api::KubernetesVersion;
use crd::customresource::ResourceVersion;
use crd::schema::Keyword;
use crd::value::Value;
use text::TextRange;

use items::Index;

/// The items of one version of a definition that cases must cover, and their coverage.
#[derive(Debug)]
pub struct Coverage {
    /// In the order of the text.
    pub items: Vec<CoverageItem>,
    index: Index,
    pub(crate) version: ResourceVersion,
    pub(crate) server: KubernetesVersion,
}

/// A part of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverageItem {
    /// Its kind.
    pub kind: ItemKind,
    /// The path of its field; empty for the object itself.
    pub path: String,
    /// The source text, such as `maxLength: 63`.
    pub text: String,
    /// The byte range in the definition's text.
    pub range: TextRange,
    /// Whether cases cover each side; `None` if the side does not exist.
    pub sides: [Option<bool>; 2],
    /// The path from the root of the schema to its node.
    pub(crate) schema_path: Vec<Step>,
    /// The part of the node.
    pub(crate) subject: Subject,
}

/// A step down in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Property(Box<str>),
    Items,
    Additional,
}

/// The part of a node that an [`CoverageItem`] is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    /// The property of that name.
    Property(Box<str>),
    /// The required property of that name.
    Required(Box<str>),
    /// A keyword.
    Keyword(Keyword),
    /// A value of its `enum`.
    Value(Value),
    /// A rule, or a part of it.
    Rule(Box<str>),
}

/// The kind of an [`CoverageItem`]. The sides of all kinds but branches and loops are: accepted, rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    /// A property: accepted if it is present, rejected if there is an error in it.
    Property,
    /// A value of an `enum`, which is only accepted.
    EnumValue,
    /// An `enum`, which is only rejected.
    Enum,
    /// A bound, a pattern, or the type of a list.
    Bound,
    /// A format.
    Format,
    /// A required property.
    Required,
    /// A rule.
    Rule,
    /// A condition in a rule: true, false.
    Branch,
    /// The list or map of a macro: with entries, empty.
    Loop,
}

impl ItemKind {
    /// All kinds, in the order of summaries.
    pub const ALL: [Self; 9] = [
        Self::Property,
        Self::Required,
        Self::EnumValue,
        Self::Enum,
        Self::Bound,
        Self::Format,
        Self::Rule,
        Self::Branch,
        Self::Loop,
    ];

    /// The plural name.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Property => "properties",
            Self::EnumValue => "enum values",
            Self::Enum => "enums",
            Self::Bound => "bounds",
            Self::Format => "formats",
            Self::Required => "required fields",
            Self::Rule => "rules",
            Self::Branch => "conditions in rules",
            Self::Loop => "loops in rules",
        }
    }

    /// The names of the two sides.
    #[must_use]
    pub fn sides(self) -> [&'static str; 2] {
        match self {
            Self::Branch => ["true", "false"],
            Self::Loop => ["non-empty", "empty"],
            _ => ["accepted", "rejected"],
        }
    }
}

/// The sides of items that cases cover.
#[derive(Clone, Debug, Default)]
pub struct Marks(BTreeSet<(u32, bool)>);

impl Marks {
    /// Whether that side of an item is covered.
    pub(crate) fn is_covered(&self, item: usize, second: bool) -> bool {
        u32::try_from(item).is_ok_and(|item| self.0.contains(&(item, second)))
    }

    /// A hash of the covered sides of some items.
    pub(crate) fn hash_of(&self, items: RangeInclusive<usize>) -> u64 {
        let number = |item: usize| u32::try_from(item).unwrap_or(u32::MAX);
        let (first, last) = (number(*items.start()), number(*items.end()));
        let mut hasher = DefaultHasher::new();
        self.0.range((first, false)..=(last, true)).for_each(|mark| mark.hash(&mut hasher));
        hasher.finish()
    }

    /// Marks the first or the second side of an item as covered.
    fn add(&mut self, item: usize, second: bool) {
        self.0.extend(u32::try_from(item).ok().map(|item| (item, second)));
    }
}

impl CoverageItem {
    /// The sides that no case covers.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let sides = self.sides.iter().zip(self.kind.sides());
        sides.filter(|(side, _)| **side == Some(false)).map(|(_, name)| name).collect()
    }
}

/// The number of sides, and how many of them are covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageShare {
    /// The number of covered sides.
    pub covered: usize,
    /// The number of all sides.
    pub all: usize,
}

impl CoverageShare {
    /// The share in percent; 100 if there are no sides.
    #[must_use]
    pub fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.all as f64 }
    }

    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { covered: self.covered + other.covered, all: self.all + other.all }
    }
}

impl Coverage {
    /// The items of `version` that cases must cover.
    #[must_use]
    pub fn new(version: &ResourceVersion, server: KubernetesVersion) -> Self {
        let (items, index) = items::items(version, server);
        Self { items, index, version: version.clone(), server }
    }

    /// The version of the definition.
    #[must_use]
    pub fn version_name(&self) -> &str {
        &self.version.name
    }

    /// Adds the sides that cases cover.
    pub fn add(&mut self, marks: &Marks) {
        for (item, second) in &marks.0 {
            let side =
                self.items.get_mut(*item as usize).and_then(|item| item.sides.get_mut(usize::from(*second)));
            if let Some(Some(side)) = side {
                *side = true;
            }
        }
    }

    /// The coverage of all kinds of items, or of one kind.
    #[must_use]
    pub fn share(&self, kind: Option<ItemKind>) -> CoverageShare {
        let items = self.items.iter().filter(|item| kind.is_none_or(|kind| kind == item.kind));
        let sides = items.flat_map(|item| item.sides.iter().flatten());
        sides.fold(CoverageShare::default(), |share, covered| CoverageShare {
            covered: share.covered + usize::from(*covered),
            all: share.all + 1,
        })
    }
}
