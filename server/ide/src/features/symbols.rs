//! The outline: documents by kind and name, entries by key, schemas by their properties.

use api::{FieldType, ObjectType, VALIDATION_RULE};
use crd::object::definitions;
use crd::schema::Keyword;
use rustc_hash::FxHashMap;
use text::{TextRange, TextSize};
use yaml::scalar::ResolvedScalar;
use yaml::syntax::ElementRef;
use yaml::{Document, Entry, Item, Mapping, NodeRef, Reader, Scalar, Value, ValueKind};

use crate::SymbolKind;
use crate::analysis::{grammar, short};
use crate::features::hover::Keywords;

/// The maximum number of characters of a name or a detail.
const LONGEST: usize = 80;
/// The keys that name an item of a list, best first.
const NAMING_KEYS: [&str; 3] = ["name", "type", "key"];

type Symbol = crate::Symbol<TextRange>;

/// The outline of a document. Aliases are not entered, as their values are listed at the anchors.
pub(crate) fn symbol(document: Document<'_>) -> Symbol {
    let reader = Reader::new(document);
    let definitions = definitions(document, &reader).into_iter();
    let types = definitions.map(|definition| (definition.value().range().start, definition.object_type()));
    let outline = Outline { reader: &reader, definitions: types.collect() };

    let range = document.range();
    let root = document.root();
    let title = root.and_then(Value::as_mapping).and_then(title);
    let (name, selection) = title.unwrap_or_else(|| {
        let start = root.map_or(range.start, |root| root.range().start);
        (String::new(), TextRange::empty(start))
    });
    let children = root.map(|root| outline.children(root, None)).unwrap_or_default();
    Symbol { name, detail: String::new(), kind: SymbolKind::Document, range, selection, children }
}

/// The kind and name of an object, and the range of the name.
fn title(object: Mapping<'_>) -> Option<(String, TextRange)> {
    let kind = member(object, "kind").and_then(Value::as_scalar);
    let name = member(object, "metadata").and_then(Value::as_mapping);
    let name = name.and_then(|metadata| member(metadata, "name")).and_then(Value::as_scalar);
    let words = [kind, name].into_iter().flatten();
    let words: Vec<String> = words.map(text).filter(|word| !word.trim().is_empty()).collect();
    let selection = name.or(kind)?.token().range();
    (!words.is_empty()).then(|| (words.join(" "), selection))
}

struct Outline<'r, 't> {
    reader: &'r Reader<'t>,
    /// The types of the definitions of the document, by their starts.
    definitions: FxHashMap<TextSize, &'static ObjectType>,
}

impl<'t> Outline<'_, 't> {
    /// The symbols within `value`, which is of type `ty` if that is known.
    fn children(&self, value: Value<'t>, ty: Option<FieldType>) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        match value.kind() {
            ValueKind::Mapping(mapping) if ty.is_some_and(FieldType::is_schema) => {
                self.schema(mapping, &mut symbols);
            }
            ValueKind::Mapping(mapping) => {
                let definition = self.definitions.get(&mapping.range().start);
                let ty = definition.map(|object| FieldType::Object(object)).or(ty);
                symbols.extend(mapping.entries().map(|entry| self.entry(entry, ty)));
            }
            ValueKind::Sequence(sequence) => {
                let ty = ty.and_then(grammar::item);
                let items = sequence.items().enumerate();
                symbols.extend(items.map(|(index, item)| self.item(item, index, ty)));
            }
            ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => {}
        }
        symbols
    }

    /// Adds the parts of a schema that authors look for: its properties, including those of items and
    /// additional properties, and the keywords that have more than a scalar. The types are beside the
    /// properties.
    fn schema(&self, schema: Mapping<'t>, symbols: &mut Vec<Symbol>) {
        for entry in schema.entries() {
            let value = entry.value();
            let keyword = entry.key_text().and_then(|key| Keyword::parse(&key));
            match (keyword, value.kind()) {
                (Some(Keyword::Properties), ValueKind::Mapping(properties)) => {
                    let ty = Keyword::Properties.field().map(|field| field.ty);
                    symbols.extend(properties.entries().map(|property| self.entry(property, ty)));
                }
                (Some(Keyword::Items | Keyword::AdditionalProperties), ValueKind::Mapping(below)) => {
                    self.schema(below, symbols);
                }
                (Some(Keyword::Required | Keyword::Enum | Keyword::ListMapKeys), _) => {}
                (Some(keyword), ValueKind::Mapping(_) | ValueKind::Sequence(_)) => {
                    let ty = keyword.field().map(|field| field.ty);
                    symbols.push(self.named_by_key(entry, ty));
                }
                (Some(_), _) => {}
                // An incomplete or misspelt key.
                (None, _) => symbols.push(self.named_by_key(entry, None)),
            }
        }
    }

    /// The symbol of `entry` in a mapping of type `outer`.
    fn entry(&self, entry: Entry<'t>, outer: Option<FieldType>) -> Symbol {
        let key = entry.key_text();
        let below = outer.and_then(|outer| grammar::key(outer, key.as_deref()?));
        self.named_by_key(entry, below.map(|(_, ty)| ty))
    }

    /// The symbol of `entry`, whose value is of type `ty`.
    fn named_by_key(&self, entry: Entry<'t>, ty: Option<FieldType>) -> Symbol {
        let key = entry.key();
        let name = key.as_scalar().map_or_else(|| short::value(key, LONGEST), text);
        let range = TextRange::new(entry.range().start, content_end(entry.syntax()));
        self.symbol(name, entry.value(), ty, range, entry.key_range())
    }

    fn item(&self, item: Item<'t>, index: usize, ty: Option<FieldType>) -> Symbol {
        let value = item.value();
        let naming = value.as_mapping().and_then(naming);
        let end = item.syntax().map_or_else(|| item.range().end, content_end);
        let range = TextRange::new(item.range().start, end);
        let (name, selection) = naming.unwrap_or_else(|| {
            let dash = item.syntax().map(|_| TextRange::at(range.start, 1));
            (format!("[{index}]"), dash.unwrap_or(range))
        });
        self.symbol(name, value, ty, range, selection)
    }

    fn symbol(
        &self,
        name: String,
        value: Value<'t>,
        ty: Option<FieldType>,
        range: TextRange,
        selection: TextRange,
    ) -> Symbol {
        let schema = ty.filter(|ty| ty.is_schema()).and_then(|_| Keywords::read(value, self.reader));
        let (detail, kind) = match schema {
            Some(schema) => (schema.type_name(), schema_kind(&schema)),
            None => (detail(value, ty), self.kind(value)),
        };
        // An item that is named by its type would show it twice.
        let detail = if detail == name { String::new() } else { detail };
        Symbol {
            // Clients reject symbols without a name.
            name: if name.trim().is_empty() { format!("\"{name}\"") } else { name },
            detail,
            kind,
            range: TextRange::new(range.start.min(selection.start), range.end.max(selection.end)),
            selection,
            children: self.children(value, ty),
        }
    }

    fn kind(&self, value: Value<'t>) -> SymbolKind {
        let Some(value) = self.reader.follow(value) else { return SymbolKind::Null };
        match value.kind() {
            ValueKind::Mapping(_) => SymbolKind::Object,
            ValueKind::Sequence(_) => SymbolKind::List,
            ValueKind::Absent | ValueKind::Alias(_) => SymbolKind::Null,
            ValueKind::Scalar(scalar) => match scalar.resolve() {
                Ok(ResolvedScalar::Null) => SymbolKind::Null,
                Ok(ResolvedScalar::Bool(_)) => SymbolKind::Boolean,
                Ok(ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_)) => {
                    SymbolKind::Number
                }
                Ok(ResolvedScalar::String(_)) | Err(_) => SymbolKind::String,
            },
        }
    }
}

/// The kind of the values that `schema` describes.
fn schema_kind(schema: &Keywords<'_, '_>) -> SymbolKind {
    match schema.string(Keyword::Type).as_deref() {
        Some("array") => SymbolKind::List,
        Some("string") => SymbolKind::String,
        Some("integer" | "number") => SymbolKind::Number,
        Some("boolean") => SymbolKind::Boolean,
        _ => SymbolKind::Object,
    }
}

/// The text beside a value that is not a schema.
fn detail(value: Value<'_>, ty: Option<FieldType>) -> String {
    match value.kind() {
        ValueKind::Mapping(rule) if is_rule(ty) => {
            member(rule, "rule").and_then(Value::as_scalar).map(text).unwrap_or_default()
        }
        ValueKind::Scalar(scalar) => text(scalar),
        ValueKind::Alias(alias) => short::shorten(alias.text, LONGEST),
        _ => String::new(),
    }
}

fn is_rule(ty: Option<FieldType>) -> bool {
    matches!(ty, Some(FieldType::Object(object)) if std::ptr::eq(object, &raw const VALIDATION_RULE))
}

/// The name of an item of a list, and its range.
fn naming(item: Mapping<'_>) -> Option<(String, TextRange)> {
    let named = NAMING_KEYS.iter().find_map(|key| member(item, key)?.as_scalar());
    let named = named.map(|scalar| (text(scalar), scalar.token().range()));
    named.filter(|(name, _)| !name.trim().is_empty()).or_else(|| title(item))
}

fn text(scalar: Scalar<'_>) -> String {
    short::shorten(scalar.text().trim_end(), LONGEST)
}

/// The value of the last entry `key` of `mapping` itself.
fn member<'t>(mapping: Mapping<'t>, key: &str) -> Option<Value<'t>> {
    let entry = mapping.entries().rfind(|entry| entry.key_text().is_some_and(|text| text == key));
    entry.map(Entry::value)
}

/// The end of the content of `node`, without the blank lines behind a block scalar.
fn content_end(node: NodeRef<'_>) -> TextSize {
    let mut node = node;
    loop {
        match node.elements().rfind(|element| !element.kind().is_trivia()) {
            Some(ElementRef::Node(last)) => node = last,
            Some(ElementRef::Token(token)) => {
                let text = if token.kind.is_block_scalar() { token.text.trim_end() } else { token.text };
                return token.start + text.len() as TextSize;
            }
            None => return node.range().end,
        }
    }
}
