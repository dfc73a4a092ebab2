//! Which parts of a schema some case accepts, and which some case rejects.

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

/// What of one version of a definition has to be tried, and what was.
#[derive(Debug)]
pub struct Coverage {
    /// In the order of the text.
    pub items: Vec<Item>,
    index: Index,
    pub(crate) version: ResourceVersion,
    pub(crate) server: KubernetesVersion,
}

/// A part of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The field that it is of; empty for the object itself.
    pub path: String,
    /// What is written, such as `maxLength: 63`.
    pub text: String,
    /// Where it is written, in bytes of the definition's text.
    pub range: TextRange,
    /// What the cases have to show of it; none where that side does not exist.
    pub sides: [Option<bool>; 2],
    /// From the root of the schema to the node that has it.
    pub(crate) way: Vec<Step>,
    /// What of the node it is.
    pub(crate) subject: Subject,
}

/// A step down in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Property(Box<str>),
    Items,
    Additional,
}

/// What of a node an [`Item`] is.
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

/// What an [`Item`] is. Of all but branches the sides are: accepted, rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    /// A property: accepted where it is written, rejected where there is an error in it.
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
    /// The list or map that a macro goes through: with entries, empty.
    Loop,
}

impl ItemKind {
    /// All of them, in the order in which summaries list them.
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

    /// What several of them are called.
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

    /// What the two sides are called.
    #[must_use]
    pub fn sides(self) -> [&'static str; 2] {
        match self {
            Self::Branch => ["true", "false"],
            Self::Loop => ["non-empty", "empty"],
            _ => ["accepted", "rejected"],
        }
    }
}

/// What cases show: sides of items.
#[derive(Clone, Debug, Default)]
pub struct Marks(BTreeSet<(u32, bool)>);

impl Marks {
    /// Whether it has that side of an item.
    pub(crate) fn has(&self, item: usize, second: bool) -> bool {
        u32::try_from(item).is_ok_and(|item| self.0.contains(&(item, second)))
    }

    /// A hash of what it has of some items.
    pub(crate) fn hash_of(&self, items: RangeInclusive<usize>) -> u64 {
        let number = |item: usize| u32::try_from(item).unwrap_or(u32::MAX);
        let (first, last) = (number(*items.start()), number(*items.end()));
        let mut hasher = DefaultHasher::new();
        self.0.range((first, false)..=(last, true)).for_each(|mark| mark.hash(&mut hasher));
        hasher.finish()
    }

    /// Notes the first or the second side of an item.
    fn add(&mut self, item: usize, second: bool) {
        self.0.extend(u32::try_from(item).ok().map(|item| (item, second)));
    }
}

impl Item {
    /// The sides that no case shows.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let sides = self.sides.iter().zip(self.kind.sides());
        sides.filter(|(side, _)| **side == Some(false)).map(|(_, name)| name).collect()
    }
}

/// How many sides there are, and how many of them cases show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Those that some case shows.
    pub covered: usize,
    /// All of them.
    pub all: usize,
}

impl Share {
    /// The share in percent; 100 of nothing.
    #[must_use]
    pub fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.all as f64 }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { covered: self.covered + other.covered, all: self.all + other.all }
    }
}

impl Coverage {
    /// What has to be tried of `version`.
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

    /// Takes over what cases show.
    pub fn add(&mut self, marks: &Marks) {
        for (item, second) in &marks.0 {
            let side =
                self.items.get_mut(*item as usize).and_then(|item| item.sides.get_mut(usize::from(*second)));
            if let Some(Some(side)) = side {
                *side = true;
            }
        }
    }

    /// How much of it is covered, of all kinds of items or of one.
    #[must_use]
    pub fn share(&self, kind: Option<ItemKind>) -> Share {
        let items = self.items.iter().filter(|item| kind.is_none_or(|kind| kind == item.kind));
        let sides = items.flat_map(|item| item.sides.iter().flatten());
        sides.fold(Share::default(), |share, covered| Share {
            covered: share.covered + usize::from(*covered),
            all: share.all + 1,
        })
    }
}
