//! The macros of all releases: each is declared once for each number of arguments. `parser::macros` expands them.

use crate::documentation::{Example, Origin};
use crate::feature::Feature;
use crate::types::Type;

/// A macro with one number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroDecl {
    /// Its name.
    pub name: &'static str,
    /// The kind of receiver.
    pub receiver: MacroReceiver,
    /// The parameters: first the names of variables, then the expressions.
    pub params: &'static [&'static str],
    /// The type of the result.
    pub result: &'static str,
    /// A description of one line.
    pub doc: &'static str,
    /// A call and its result.
    pub example: Example,
    /// The required feature; `None` if all environments have the macro.
    pub needs: Option<Feature>,
    /// The value whose schema describes the result.
    pub origin: Origin,
    /// The kind of expansion.
    pub(crate) expansion: Expansion,
}

/// The kind of expansion of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expansion {
    /// A test of a selection.
    Has,
    /// A loop over a list or map.
    Loop(Loop),
    /// A condition on an optional.
    OptMap,
    /// The same for an expression that returns an optional.
    OptFlatMap,
    /// A call on the list and its keys.
    SortBy,
}

/// The loops of macros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loop {
    All,
    Exists,
    ExistsOne,
    Map,
    Filter,
    TransformList,
    TransformMap,
    TransformMapEntry,
}

/// The kind of receiver of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MacroReceiver {
    /// No receiver.
    None,
    /// A list.
    List,
    /// A list or a map.
    Collection,
    /// An optional.
    Optional,
}

impl MacroReceiver {
    /// Whether the receiver can be a value of type `of`.
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
    /// The notation for a call: `list.all(x, condition) -> bool`.
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

    /// The first release (1.N) whose environment has it; 0 for all.
    #[must_use]
    pub const fn first_release(&self) -> u8 {
        match self.needs {
            None => 0,
            Some(feature) => feature.first_release(),
        }
    }
}

/// The macro of that name with that many arguments, receiver not counted.
#[must_use]
pub fn macro_declared(name: &str, args: usize) -> Option<&'static MacroDecl> {
    MACROS.iter().find(|one| one.params.len() == args && one.name == name)
}

/// The environment (1.N) that first has the macro of that name with that many arguments, receiver not counted.
#[must_use]
pub fn macro_since(name: &str, args: usize) -> Option<u8> {
    macro_declared(name, args).map(MacroDecl::first_release)
}

/// All macros; macros with the same name are adjacent, the form with fewer arguments first.
#[rustfmt::skip]
pub const MACROS: &[MacroDecl] = &[
    MacroDecl {
        name: "has", receiver: MacroReceiver::None, params: &["self.field"], result: "bool",
        doc: "whether the field is present",
        example: Example::Gives("has({'a': 1}.a)", "true"),
        needs: None, origin: Origin::Computed, expansion: Expansion::Has,
    },
    MacroDecl {
        name: "all", receiver: MacroReceiver::Collection, params: &["x", "condition"], result: "bool",
        doc: "whether the condition is true for every element, or every key of a map",
        example: Example::Gives("[1, 2].all(x, x > 0)", "true"),
        needs: None, origin: Origin::Computed, expansion: Expansion::Loop(Loop::All),
    },
    MacroDecl {
        name: "all", receiver: MacroReceiver::Collection, params: &["i", "x", "condition"], result: "bool",
        doc: "whether the condition is true for every index and element, or every key and value",
        example: Example::Gives("[1, 2].all(i, x, i < x)", "true"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::All),
    },
    MacroDecl {
        name: "exists", receiver: MacroReceiver::Collection, params: &["x", "condition"], result: "bool",
        doc: "whether the condition is true for at least one element, or key of a map",
        example: Example::Gives("[1, 2].exists(x, x > 1)", "true"),
        needs: None, origin: Origin::Computed, expansion: Expansion::Loop(Loop::Exists),
    },
    MacroDecl {
        name: "exists", receiver: MacroReceiver::Collection, params: &["i", "x", "condition"], result: "bool",
        doc: "whether the condition is true for at least one index and element, or key and value",
        example: Example::Gives("['a', 'b'].exists(i, x, i == 0 && x == 'b')", "false"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::Exists),
    },
    MacroDecl {
        name: "exists_one", receiver: MacroReceiver::Collection, params: &["x", "condition"], result: "bool",
        doc: "whether the condition is true for exactly one element",
        example: Example::Gives("[1, 2].exists_one(x, x > 0)", "false"),
        needs: None, origin: Origin::Computed, expansion: Expansion::Loop(Loop::ExistsOne),
    },
    MacroDecl {
        name: "exists_one", receiver: MacroReceiver::Collection,
        params: &["i", "x", "condition"], result: "bool",
        doc: "whether the condition is true for exactly one index and element, or key and value",
        example: Example::Gives("[1, 2].exists_one(i, x, i + x > 2)", "true"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::ExistsOne),
    },
    MacroDecl {
        name: "existsOne", receiver: MacroReceiver::Collection,
        params: &["i", "x", "condition"], result: "bool",
        doc: "whether the condition is true for exactly one index and element, or key and value",
        example: Example::Gives("[1, 2].existsOne(i, x, i + x > 2)", "true"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::ExistsOne),
    },
    MacroDecl {
        name: "map", receiver: MacroReceiver::Collection, params: &["x", "value"], result: "list",
        doc: "the list of the results for each element",
        example: Example::Gives("[1, 2].map(x, x * 2)", "[2, 4]"),
        needs: None, origin: Origin::Computed, expansion: Expansion::Loop(Loop::Map),
    },
    MacroDecl {
        name: "map", receiver: MacroReceiver::Collection,
        params: &["x", "condition", "value"], result: "list",
        doc: "the list of the results for the elements that satisfy the condition",
        example: Example::Gives("[1, 2].map(x, x > 1, x * 2)", "[4]"),
        needs: None, origin: Origin::Computed, expansion: Expansion::Loop(Loop::Map),
    },
    MacroDecl {
        name: "filter", receiver: MacroReceiver::Collection, params: &["x", "condition"], result: "list",
        doc: "the elements that satisfy the condition",
        example: Example::Gives("[1, 2].filter(x, x > 1)", "[2]"),
        needs: None, origin: Origin::Receiver, expansion: Expansion::Loop(Loop::Filter),
    },
    MacroDecl {
        name: "transformList", receiver: MacroReceiver::Collection,
        params: &["i", "x", "value"], result: "list",
        doc: "the list of the results for each element or entry",
        example: Example::Gives("['a', 'b'].transformList(i, x, i)", "[0, 1]"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::TransformList),
    },
    MacroDecl {
        name: "transformList", receiver: MacroReceiver::Collection,
        params: &["i", "x", "condition", "value"], result: "list",
        doc: "the list of the results for the elements or entries that satisfy the condition",
        example: Example::Gives("[1, 2].transformList(i, x, x > 1, i)", "[1]"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::TransformList),
    },
    MacroDecl {
        name: "transformMap", receiver: MacroReceiver::Collection,
        params: &["k", "v", "value"], result: "map",
        doc: "the map with transformed values",
        example: Example::Gives("{'a': 1}.transformMap(k, v, v + 1)", "{'a': 2}"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::TransformMap),
    },
    MacroDecl {
        name: "transformMap", receiver: MacroReceiver::Collection,
        params: &["k", "v", "condition", "value"], result: "map",
        doc: "the map with transformed values of the entries that satisfy the condition",
        example: Example::Gives("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v)", "{'b': 2}"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::TransformMap),
    },
    MacroDecl {
        name: "transformMapEntry", receiver: MacroReceiver::Collection,
        params: &["k", "v", "entry"], result: "map",
        doc: "the map of the results for each entry; each result is a map with one entry",
        example: Example::Gives("{'a': 'x'}.transformMapEntry(k, v, {v: k})", "{'x': 'a'}"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::TransformMapEntry),
    },
    MacroDecl {
        name: "transformMapEntry", receiver: MacroReceiver::Collection,
        params: &["k", "v", "condition", "entry"], result: "map",
        doc: "the map of the results for the entries that satisfy the condition; each result is a map with one entry",
        example: Example::Gives("{'a': 'x', 'b': 'y'}.transformMapEntry(k, v, k == 'a', {v: k})", "{'x': 'a'}"),
        needs: Some(Feature::TwoVariableMacros), origin: Origin::Computed,
        expansion: Expansion::Loop(Loop::TransformMapEntry),
    },
    MacroDecl {
        name: "optMap", receiver: MacroReceiver::Optional, params: &["x", "value"], result: "optional",
        doc: "the result for the value as an optional, or none if there is no value",
        example: Example::Gives("optional.of(1).optMap(x, x + 1).value()", "2"),
        needs: Some(Feature::OptionalTypes), origin: Origin::Computed, expansion: Expansion::OptMap,
    },
    MacroDecl {
        name: "optFlatMap", receiver: MacroReceiver::Optional, params: &["x", "optional"], result: "optional",
        doc: "the optional that the expression gives for the value, or none if there is no value",
        example: Example::Gives("optional.of(1).optFlatMap(x, optional.of(x + 1)).value()", "2"),
        needs: Some(Feature::OptionalTypes), origin: Origin::Computed,
        expansion: Expansion::OptFlatMap,
    },
    MacroDecl {
        name: "sortBy", receiver: MacroReceiver::List, params: &["x", "key"], result: "list",
        doc: "the elements in ascending order of their keys",
        example: Example::Gives("['bb', 'a'].sortBy(x, x.size())", "['a', 'bb']"),
        needs: Some(Feature::SortBy), origin: Origin::Receiver, expansion: Expansion::SortBy,
    },
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
