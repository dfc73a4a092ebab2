//! The macros of all releases, as an editor shows them.

use super::{Environment, Feature};
use crate::types::Type;

/// A macro with one number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroDecl {
    /// Its name.
    pub name: &'static str,
    /// What it is called on.
    pub receiver: MacroReceiver,
    /// The arguments; those before the last that are names of variables come first.
    pub params: &'static [&'static str],
    /// What it gives.
    pub result: &'static str,
    /// The release (1.N) whose environment has it first, 0 for all.
    pub since: u8,
    /// What it does, in a line.
    pub doc: &'static str,
}

/// What a macro is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MacroReceiver {
    /// Nothing.
    None,
    /// A list.
    List,
    /// A list or a map.
    Collection,
    /// An optional.
    Optional,
}

impl MacroReceiver {
    /// Whether it can be a value of type `of`.
    #[must_use]
    pub fn takes(self, of: &Type) -> bool {
        match self {
            Self::None => false,
            Self::List => matches!(of, Type::List(_)) || of.is_dyn(),
            Self::Collection => matches!(of, Type::List(_) | Type::Map(_)) || of.is_dyn(),
            Self::Optional => matches!(of, Type::Optional(_)) || of.is_dyn(),
        }
    }
}

impl MacroDecl {
    /// As one would write it: `list.all(x, condition) -> bool`.
    #[must_use]
    pub fn signature(&self) -> String {
        let receiver = match self.receiver {
            MacroReceiver::None => "",
            MacroReceiver::List => "list.",
            MacroReceiver::Collection => "collection.",
            MacroReceiver::Optional => "optional.",
        };
        format!("{receiver}{}({}) -> {}", self.name, self.params.join(", "), self.result)
    }

    /// Whether an environment has it.
    #[must_use]
    pub const fn is_in(&self, env: Environment) -> bool {
        env.has_since(self.since)
    }
}

/// The environment (1.N) that first has the macro of that name with that many arguments, receiver not counted.
#[must_use]
pub fn macro_since(name: &str, args: usize) -> Option<u8> {
    MACROS.iter().find(|one| one.name == name && one.params.len() == args).map(|one| one.since)
}

const OPTIONAL: u8 = Feature::OptionalTypes.since();
const TWO: u8 = Feature::TwoVariableMacros.since();
const SORT: u8 = Feature::SortBy.since();

const fn on(
    receiver: MacroReceiver,
    name: &'static str,
    params: &'static [&'static str],
    result: &'static str,
    since: u8,
    doc: &'static str,
) -> MacroDecl {
    MacroDecl { name, receiver, params, result, since, doc }
}

const fn loops(
    name: &'static str,
    params: &'static [&'static str],
    result: &'static str,
    since: u8,
    doc: &'static str,
) -> MacroDecl {
    on(MacroReceiver::Collection, name, params, result, since, doc)
}

/// All macros; those of one name stand together, the form with fewer arguments first.
pub const MACROS: &[MacroDecl] = &[
    on(MacroReceiver::None, "has", &["self.field"], "bool", 0, "whether the field is there"),
    loops(
        "all",
        &["x", "condition"],
        "bool",
        0,
        "whether the condition holds for each element, or key of a map",
    ),
    loops(
        "all",
        &["i", "x", "condition"],
        "bool",
        TWO,
        "the same with the index and element, or key and value",
    ),
    loops(
        "exists",
        &["x", "condition"],
        "bool",
        0,
        "whether the condition holds for an element, or key of a map",
    ),
    loops(
        "exists",
        &["i", "x", "condition"],
        "bool",
        TWO,
        "the same with the index and element, or key and value",
    ),
    loops(
        "exists_one",
        &["x", "condition"],
        "bool",
        0,
        "whether the condition holds for exactly one element",
    ),
    loops(
        "exists_one",
        &["i", "x", "condition"],
        "bool",
        TWO,
        "the same with the index and element, or key and value",
    ),
    loops(
        "existsOne",
        &["i", "x", "condition"],
        "bool",
        TWO,
        "whether the condition holds for exactly one element",
    ),
    loops("map", &["x", "value"], "list", 0, "the list of what each element becomes"),
    loops(
        "map",
        &["x", "condition", "value"],
        "list",
        0,
        "the same of the elements for which the condition holds",
    ),
    loops("filter", &["x", "condition"], "list", 0, "the elements for which the condition holds"),
    loops(
        "transformList",
        &["i", "x", "value"],
        "list",
        TWO,
        "the list of what each element or entry becomes",
    ),
    loops(
        "transformList",
        &["i", "x", "condition", "value"],
        "list",
        TWO,
        "the same of those that meet the condition",
    ),
    loops("transformMap", &["k", "v", "value"], "map", TWO, "the map with other values"),
    loops(
        "transformMap",
        &["k", "v", "condition", "value"],
        "map",
        TWO,
        "the same of the entries that meet the condition",
    ),
    loops(
        "transformMapEntry",
        &["k", "v", "entry"],
        "map",
        TWO,
        "the map of the entries, each a map, that are made of each",
    ),
    loops(
        "transformMapEntry",
        &["k", "v", "condition", "entry"],
        "map",
        TWO,
        "the same of those that meet the condition",
    ),
    on(
        MacroReceiver::Optional,
        "optMap",
        &["x", "value"],
        "optional",
        OPTIONAL,
        "what the value becomes, if there is one",
    ),
    on(
        MacroReceiver::Optional,
        "optFlatMap",
        &["x", "optional"],
        "optional",
        OPTIONAL,
        "the same where that is an optional itself",
    ),
    on(MacroReceiver::List, "sortBy", &["x", "key"], "list", SORT, "the elements in the order of their keys"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_is_known_by_name_and_number_of_arguments() {
        assert_eq!(macro_since("all", 2), Some(0));
        assert_eq!(macro_since("all", 3), Some(32));
        assert_eq!(macro_since("optMap", 2), Some(28));
        assert_eq!(macro_since("existsOne", 2), None);
    }
}
