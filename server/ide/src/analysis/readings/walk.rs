//! The walk through a definition: only its grammar shows where a string is expected.

use api::{Code, FieldType, JSON_SCHEMA_PROPS};
use crd::object::CustomResourceDefinition;
use crd::schema::{Schema, TypeName};
use crd::{FieldPath, Segment};
use yaml::{Entry, Mapping, Reader, SyntaxKind, TokenRef, Value, ValueKind};

use crate::Severity;
use crate::analysis::clean::CleanNodes;
use crate::analysis::readings::plain::{self, TypedScalar};
use crate::analysis::readings::{KEY, Remedy, STRING, ScalarReading, VALUE};
use crate::analysis::syntax::MOST;
use crd::{Message, ProblemClass};

/// The keywords with values of the schema's type.
const SAMPLES: [&str; 3] = ["enum", "default", "example"];

/// Whether `key` is one of them.
pub(super) fn is_sample(key: TokenRef<'_>) -> bool {
    let name = match key.kind {
        SyntaxKind::Plain => key.text,
        _ => key.text.trim_matches(['"', '\'']),
    };
    SAMPLES.contains(&name)
}

static SCHEMA: FieldType = FieldType::Object(&JSON_SCHEMA_PROPS);

pub(super) struct ReadingWalk<'w, 't> {
    reader: &'w Reader<'t>,
    clean: &'w CleanNodes,
    path: FieldPath,
    readings: Vec<ScalarReading<'t>>,
    /// The number of entries of schemas that were read for their types.
    looked_at: usize,
}

/// The limit on that number; merges may put the same entries into any number of schemas.
const MOST_ENTRIES: usize = 1_000_000;

/// The expected value at a position.
#[derive(Clone, Copy)]
enum ExpectedValue<'a> {
    /// A value of that Go type.
    Field(FieldType),
    /// A schema; if it has no type, it inherits this one, as the branch of a junctor does.
    Schema(Option<&'a str>),
    /// A value of `keyword` for a schema of that type.
    Sample(&'a str, Option<&'a str>),
}

impl<'w, 't> ReadingWalk<'w, 't> {
    pub(super) fn new(reader: &'w Reader<'t>, clean: &'w CleanNodes) -> Self {
        Self { reader, clean, path: FieldPath::root(), readings: Vec::new(), looked_at: 0 }
    }

    pub(super) fn definition(&mut self, definition: &CustomResourceDefinition<'_, 't>) {
        self.path = definition.path().clone();
        self.value(definition.value(), ExpectedValue::Field(FieldType::Object(definition.object_type())));
    }

    pub(super) fn finish(self) -> Vec<ScalarReading<'t>> {
        self.readings
    }

    fn value(&mut self, value: Value<'t>, wanted: ExpectedValue<'_>) {
        if self.readings.len() > MOST {
            return;
        }
        // A clean node has no odd scalars, but it may have a 1 among strings.
        let for_strings = matches!(wanted, ExpectedValue::Sample(_, Some("string")));
        if !for_strings && value.node().is_some_and(|node| self.clean.contains(node)) {
            return;
        }
        match value.kind() {
            ValueKind::Mapping(mapping) => self.mapping(value, mapping, wanted),
            ValueKind::Sequence(sequence) => {
                let Some(item) = item_of(wanted) else { return };
                for (index, element) in sequence.items().enumerate() {
                    self.path.push_index(index);
                    self.value(element.value(), item);
                    self.path.pop();
                }
            }
            ValueKind::Scalar(_) => {
                if let Some(typed) = plain::typed(value) {
                    self.scalar(value, &typed, wanted);
                }
            }
            // The value of an alias is visited at its anchor.
            ValueKind::Alias(_) | ValueKind::Absent => {}
        }
    }

    fn mapping(&mut self, value: Value<'t>, mapping: Mapping<'t>, wanted: ExpectedValue<'_>) {
        match wanted {
            ExpectedValue::Schema(inherited) => self.schema(value, mapping, inherited),
            ExpectedValue::Field(ty) if ty.is_schema() => self.schema(value, mapping, None),
            ExpectedValue::Field(FieldType::Object(object)) => {
                self.entries(mapping, |key| {
                    let ty = object.field(key)?.ty;
                    Some((Segment::Name(key.to_owned().into()), ExpectedValue::Field(ty)))
                });
            }
            ExpectedValue::Field(FieldType::Map(member)) => {
                self.entries(mapping, |key| Some((Segment::Key(key.into()), ExpectedValue::Field(*member))));
            }
            // The types inside an object are unknown.
            ExpectedValue::Sample(..) | ExpectedValue::Field(FieldType::Json) => {
                let json = ExpectedValue::Field(FieldType::Json);
                self.entries(mapping, |key| Some((Segment::Name(key.to_owned().into()), json)));
            }
            ExpectedValue::Field(_) => {}
        }
    }

    fn schema(&mut self, value: Value<'t>, mapping: Mapping<'t>, inherited: Option<&str>) {
        let schema = Some(value).filter(|_| self.looked_at < MOST_ENTRIES);
        let schema = schema.and_then(|value| Schema::read(value, self.reader));
        self.looked_at += schema.as_ref().map_or(0, Schema::width);
        let own = schema.map(|schema| schema.type_name());
        let named = match &own {
            Some(TypeName::Named(name)) => Some(name.as_ref()),
            Some(TypeName::Unreadable) => None,
            Some(TypeName::Missing) | None => inherited,
        };
        self.entries(mapping, |key| {
            let segment = Segment::Name(key.to_owned().into());
            if let Some(sample) = SAMPLES.into_iter().find(|sample| *sample == key) {
                return Some((segment, ExpectedValue::Sample(sample, named)));
            }
            match key {
                "allOf" | "anyOf" | "oneOf" | "not" => Some((segment, ExpectedValue::Schema(named))),
                _ => Some((segment, ExpectedValue::Field(JSON_SCHEMA_PROPS.field(key)?.ty))),
            }
        });
    }

    /// Visits the keys of `mapping`, and the values that `wanted` knows.
    fn entries<'a>(
        &mut self,
        mapping: Mapping<'t>,
        wanted: impl Fn(&str) -> Option<(Segment, ExpectedValue<'a>)>,
    ) {
        for entry in mapping.entries() {
            if self.readings.len() > MOST {
                break;
            }
            let Some(key) = entry.key_text() else { continue };
            let below = wanted(&key);
            let segment = below.as_ref().map(|(segment, _)| segment.clone());
            self.path.push(segment.unwrap_or_else(|| Segment::Name(key.into_owned().into())));
            self.key(entry);
            if let Some((_, wanted)) = below {
                self.value(entry.value(), wanted);
            }
            self.path.pop();
        }
    }

    fn key(&mut self, entry: Entry<'t>) {
        // A line without a colon is incomplete.
        if entry.colon().is_none() {
            return;
        }
        let Some(typed) = plain::typed(entry.key()) else { return };
        let Some(read) = typed.other_key() else { return };
        let problem = format!("kube-apiserver parses the key `{}` as `{read}`", typed.text);
        let message = Message::new(problem).advise("quote it to keep the text");
        self.report(KEY, Severity::Warning, message, entry.key(), &typed, vec![Remedy::Quote]);
    }

    fn scalar(&mut self, value: Value<'t>, typed: &TypedScalar<'t>, wanted: ExpectedValue<'_>) {
        if !typed.is_finite() {
            return;
        }
        match wanted {
            ExpectedValue::Sample(keyword, Some("string")) => {
                let consequence = match keyword {
                    "enum" => "which never equals a string",
                    "default" => "which is not a valid default for a string",
                    _ => "but the type is `string`",
                };
                let reading = typed.described();
                let mut message = Message::new(format!("{reading}, {consequence}")).advise("quote it");
                message.class = typed.is_read_differently().then_some(ProblemClass::Reading(reading));
                self.report(STRING, Severity::Warning, message, value, typed, vec![Remedy::Quote]);
            }
            ExpectedValue::Sample(_, Some("boolean"))
            | ExpectedValue::Field(FieldType::Bool | FieldType::SchemaOrBool) => {
                if typed.is_boolean() {
                    self.disputed(value, typed, false);
                }
            }
            ExpectedValue::Sample(_, Some("integer" | "number"))
            | ExpectedValue::Field(FieldType::Int32 | FieldType::Int64 | FieldType::Float64) => {
                if !typed.is_boolean() {
                    self.disputed(value, typed, false);
                }
            }
            ExpectedValue::Sample(..) | ExpectedValue::Field(FieldType::Json) => {
                self.disputed(value, typed, true)
            }
            // The server rejects values that are not strings or not mappings.
            ExpectedValue::Schema(_) | ExpectedValue::Field(_) => {}
        }
    }

    /// Reports a value that YAML 1.2 reads differently than the server.
    fn disputed(&mut self, value: Value<'t>, typed: &TypedScalar<'t>, may_be_text: bool) {
        let (read, core) = (typed.json(), typed.in_core_schema());
        if core.as_ref() == Some(&read) {
            return;
        }
        let core = core.map_or_else(|| "text".to_owned(), |core| format!("`{core}`"));
        let reading = format!("kube-apiserver parses `{}` as `{read}`", typed.text);
        let problem = format!("{reading}, but YAML 1.2 tools parse it as {core}");
        let remedy = match may_be_text {
            true => format!("write `{read}`, or put the text in quotes"),
            false if core.starts_with('`') => format!("write `{read}` or {core}"),
            false => format!("write `{read}`"),
        };
        let message = Message::new(problem).advise(remedy).of_class(ProblemClass::Reading(reading));
        let quote = may_be_text.then_some(Remedy::Quote);
        let remedies = quote.into_iter().chain([Remedy::Write(read)]).collect();
        self.report(VALUE, Severity::Hint, message, value, typed, remedies);
    }

    fn report(
        &mut self,
        code: Code,
        severity: Severity,
        message: Message,
        value: Value<'t>,
        typed: &TypedScalar<'t>,
        remedies: Vec<Remedy>,
    ) {
        let field_path = self.path.clone();
        self.readings.push(ScalarReading {
            code,
            severity,
            message,
            value,
            text: typed.text,
            field_path,
            remedies,
        });
    }
}

/// The expected items of the sequence `wanted`.
fn item_of(wanted: ExpectedValue<'_>) -> Option<ExpectedValue<'_>> {
    Some(match wanted {
        ExpectedValue::Field(FieldType::List(item)) => ExpectedValue::Field(*item),
        ExpectedValue::Field(FieldType::SchemaOrArray) => ExpectedValue::Field(SCHEMA),
        ExpectedValue::Sample("enum", ty) => ExpectedValue::Sample("enum", ty),
        ExpectedValue::Field(FieldType::Json) | ExpectedValue::Sample(..) => {
            ExpectedValue::Field(FieldType::Json)
        }
        ExpectedValue::Schema(inherited) => ExpectedValue::Schema(inherited),
        ExpectedValue::Field(_) => return None,
    })
}
