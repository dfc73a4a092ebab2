//! `workspace/symbol`: definitions, their versions and properties, and resources, by name.

use ide::{Catalog, NamedKind, NamedObject, Query, find_named};
use ls_types::{SymbolInformation, SymbolKind};

use super::convert::Converter;

/// The maximum number of symbols in an answer: nobody looks through more.
pub const MOST: usize = 256;

/// A symbol with its sort key.
pub type FoundSymbol = ((bool, NamedKind, String), SymbolInformation);

/// The symbols of a text that `query` finds, at most [`MOST`].
#[must_use]
pub fn in_text(converter: &Converter<'_>, catalog: &Catalog, query: &Query) -> Vec<FoundSymbol> {
    let found = find_named(&converter.buffer().to_string(), catalog, query).into_iter().take(MOST);
    found.map(|one| symbol(one, converter, query)).collect()
}

/// The best of the symbols from all texts, at most [`MOST`].
#[must_use]
pub fn best(mut found: Vec<FoundSymbol>) -> Vec<SymbolInformation> {
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found.truncate(MOST);
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

#[expect(deprecated, reason = "the protocol's type has the field")]
fn symbol(
    NamedObject { name, container, what, range }: NamedObject,
    converter: &Converter<'_>,
    query: &Query,
) -> FoundSymbol {
    let kind = match what {
        NamedKind::Definition => SymbolKind::CLASS,
        NamedKind::Version => SymbolKind::INTERFACE,
        NamedKind::Resource => SymbolKind::OBJECT,
        NamedKind::Property => SymbolKind::PROPERTY,
    };
    let order = (!query.begins(&name), what, name.clone());
    let location = converter.location(range);
    let symbol = SymbolInformation {
        name,
        kind,
        tags: None,
        deprecated: None,
        location,
        container_name: Some(container),
    };
    (order, symbol)
}
