//! Markers: comments such as `+kubebuilder:validation:MaxLength=5`.

mod definition;
mod doc;
mod fault;
mod guess;
pub mod options;
mod parse;
mod quoting;
mod scanner;
mod value;

pub use definition::{Argument, ArgumentType, Definition, Meaning, ResolvedMarker, Shape, Target, all};
pub use fault::{ExpectedToken, Fault, Refusal};
pub use quoting::{Quote, QuotedValue};
pub use scanner::ErrorPosition;
pub use value::{Data, Value, names_in};

use crate::version::Version;

/// A marker that is known on its target, with its arguments.
#[derive(Clone, Debug)]
pub struct Marker {
    /// The definition of the marker.
    pub known: ResolvedMarker,
    /// The arguments by name. The value after `=` has an empty name.
    pub arguments: Vec<(&'static str, Value)>,
    /// Arguments without effect, because a later one has the same name.
    pub repeated: Vec<(&'static str, Value)>,
}

impl Marker {
    /// The argument of a name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.iter().find(|(argument, _)| *argument == name).map(|(_, value)| value)
    }

    /// The text of an argument; empty if the argument is missing.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match self.argument(name).map(|value| &value.data) {
            Some(Data::Text(text)) => text,
            _ => "",
        }
    }

    /// The list of texts of an argument.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<String> {
        match self.argument(name).map(|value| &value.data) {
            Some(Data::List(items)) => items
                .iter()
                .map(|item| match &item.data {
                    Data::Text(text) => text.clone(),
                    _ => String::new(),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The meaning of the marker.
    #[must_use]
    pub const fn meaning(&self) -> Meaning {
        self.known.definition.meaning
    }
}

/// The marker that a text such as `+optional` names on a target; `None` if controller-gen ignores it.
#[must_use]
pub fn lookup(text: &str, target: Target, version: Version) -> Option<ResolvedMarker> {
    let split = parse::split(text);
    definition::resolve_marker(split.whole, target, version)
        .or_else(|| definition::resolve_marker(split.short, target, version))
}

/// Parses the arguments of a marker. If there are errors, the result contains the arguments before the first error.
#[must_use]
pub fn parse(text: &str, known: ResolvedMarker, version: Version) -> (Marker, Vec<Refusal>) {
    let parsed = parse::parse(text, known, version);
    (Marker { known, arguments: parsed.arguments, repeated: parsed.repeated }, parsed.refusals)
}
