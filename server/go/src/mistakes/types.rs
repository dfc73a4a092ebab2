//! Markers that do not fit the Go type that they are on, or the markers of its named type.

use std::collections::{HashMap, HashSet};

use super::mistake::{Mistake, MistakeKind, Seen, advised};
use super::tags::{merged, tagged};
use super::together::{ListType, Read, default_of};
use crate::load::Place;
use crate::marker::{Data, Meaning, Value};
use crate::schema::json_types;
use crate::syntax::{
    Associated, DeclarationKind, Expr, ExprKind, Field, MarkerComment, TypeDeclaration, integers, json_tag,
    with_kinds,
};
use crate::version::Change;

/// The types of a package by their names.
#[derive(Default)]
pub(super) struct Types<'f> {
    named: HashMap<&'f str, (Seen<'f>, &'f TypeDeclaration, &'f [MarkerComment])>,
    /// Those that decide themselves how they are encoded.
    encoded: HashSet<&'f str>,
    /// The texts that have names, by the type that they have.
    constants: HashMap<&'f str, Vec<(&'f str, &'f str)>>,
    /// Likewise the whole numbers.
    integers: HashMap<&'f str, Vec<(&'f str, i64)>>,
}

/// What values a type of the language has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Basic {
    Text,
    Integer,
    Bool,
}

impl Basic {
    /// Several values.
    const fn several(self) -> &'static str {
        match self {
            Self::Text => "strings",
            Self::Integer => "integers",
            Self::Bool => "booleans",
        }
    }
}

/// So many names lead to a type of the language.
const MAX_STEPS: usize = 8;

impl<'f> Types<'f> {
    pub(super) fn add(&mut self, seen: Seen<'f>, associated: &'f Associated) {
        for (_, declared) in seen.file.types() {
            let markers = associated.types.get(declared.name.span.start).unwrap_or_default();
            self.named.insert(&declared.name.name, (seen, declared, markers));
        }
        self.encoded.extend(seen.file.marshalers.iter().map(|marshaler| &*marshaler.receiver));
        for declaration in &seen.file.declarations {
            let DeclarationKind::Const(constants) = &declaration.kind else { continue };
            for (kind, name, value) in integers(constants) {
                self.integers.entry(kind).or_default().push((name, value));
            }
            for (kind, constant) in with_kinds(constants) {
                let named = constant.names.iter().zip(&constant.values);
                let texts = named.filter_map(|(name, value)| Some((&*name.name, value.as_deref()?)));
                self.constants.entry(kind).or_default().extend(texts);
            }
        }
    }

    /// Whether a type of the package is a struct.
    pub(super) fn is_struct(&self, name: &str) -> bool {
        self.named.get(name).is_some_and(|(_, declared, _)| matches!(declared.expr.kind, ExprKind::Struct(_)))
    }

    /// Whether a type of the package decides itself how it is encoded.
    pub(super) fn is_encoded(&self, name: &str) -> bool {
        self.encoded.contains(name)
    }

    /// The struct that a field of the package's types is made of; none of one that decides itself how it is encoded.
    pub(super) fn fields(&self, expr: &Expr) -> Option<(&'f str, &'f [Field])> {
        let (_, declared, _) = self.own(expr)?;
        match &declared.expr.kind {
            ExprKind::Struct(fields) if !self.is_encoded(&declared.name.name) => {
                Some((&declared.name.name, fields))
            }
            _ => None,
        }
    }

    /// The constants of a type of the package: their names and values, in the order of the text.
    pub(super) fn constants(&self, name: &str) -> &[(&'f str, &'f str)] {
        self.constants.get(name).map_or(&[], Vec::as_slice)
    }

    /// The constants of a type that are whole numbers.
    pub(super) fn integers(&self, name: &str) -> &[(&'f str, i64)] {
        self.integers.get(name).map_or(&[], Vec::as_slice)
    }

    /// What values a type has that is made of one of the language, if Go decodes it as such.
    pub(super) fn basic(&self, expr: &Expr) -> Option<Basic> {
        self.builtin(expr).and_then(values_of)
    }

    /// The name of the type of the language that a type is made of, if Go decodes it as such.
    pub(super) fn builtin<'e>(&'e self, expr: &'e Expr) -> Option<&'e str> {
        let mut expr = expr;
        for _ in 0..MAX_STEPS {
            match &expr.kind {
                ExprKind::Pointer(inner) => expr = inner,
                ExprKind::Ident(name) => match self.named.get(&**name) {
                    Some(_) if self.encoded.contains(&**name) => return None,
                    Some((_, declared, _)) => expr = &declared.expr,
                    None => return Some(name),
                },
                _ => return None,
            }
        }
        None
    }

    /// The type of the items, if Go decodes the type as a list.
    fn items<'e>(&'e self, expr: &'e Expr) -> Option<&'e Expr> {
        let mut expr = expr;
        for _ in 0..MAX_STEPS {
            match &expr.kind {
                ExprKind::Pointer(inner) => expr = inner,
                ExprKind::Slice(items) | ExprKind::Array(items) => return Some(items),
                ExprKind::Ident(name) if !self.encoded.contains(&**name) => {
                    expr = &self.named.get(&**name)?.1.expr;
                }
                _ => return None,
            }
        }
        None
    }

    /// The type of the package that a field has, with its markers.
    fn own(&self, expr: &Expr) -> Option<&(Seen<'f>, &'f TypeDeclaration, &'f [MarkerComment])> {
        match &expr.kind {
            ExprKind::Pointer(inner) => self.own(inner),
            ExprKind::Ident(name) => self.named.get(&**name),
            _ => None,
        }
    }
}

/// What values a type of the language has.
fn values_of(name: &str) -> Option<Basic> {
    match json_types(name)? {
        ["string"] => Some(Basic::Text),
        ["boolean"] => Some(Basic::Bool),
        ["integer", ..] => Some(Basic::Integer),
        _ => None,
    }
}

/// The markers of a type or of a field.
pub(super) struct Marked<'f> {
    pub(super) markers: &'f [MarkerComment],
    /// The type; none of a field.
    pub(super) declared: Option<&'f TypeDeclaration>,
    /// What it is made of.
    pub(super) expr: &'f Expr,
}

/// The types and the fields of structs with markers, in the order of the text.
pub(super) fn marked<'f>(seen: Seen<'f>, associated: &'f Associated) -> impl Iterator<Item = Marked<'f>> {
    seen.file.types().flat_map(|(_, declared)| {
        let fields = match &declared.expr.kind {
            ExprKind::Struct(fields) => fields.as_slice(),
            _ => &[],
        };
        let of_type = associated.types.get(declared.name.span.start);
        let of_type =
            of_type.map(|markers| Marked { markers, declared: Some(declared), expr: &declared.expr });
        let of_fields = fields.iter().filter_map(|field| {
            let markers = associated.fields.get(field.spec.span.start)?;
            Some(Marked { markers, declared: None, expr: &field.expr })
        });
        of_type.into_iter().chain(of_fields)
    })
}

pub(super) fn check(seen: Seen<'_>, associated: &Associated, types: &Types<'_>, found: &mut Vec<Mistake>) {
    for (_, declared) in seen.file.types() {
        if declared.is_alias {
            of_alias(seen, associated, declared, types, found);
            continue;
        }
        if let Some(list) = associated.types.get(declared.name.span.start)
            && !types.encoded.contains(&*declared.name.name)
        {
            of_basic(seen, list, &declared.expr, types, found);
            of_enum(seen, list, found);
        }
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        // Who encodes the struct may merge fields.
        if !types.encoded.contains(&*declared.name.name) {
            tagged(fields).iter().for_each(|one| merged(seen, one, found));
        }
        for field in fields {
            let Some(list) = associated.fields.get(field.spec.span.start) else { continue };
            // Go encodes numbers as strings with this option.
            let is_string = || {
                let tag = field.tag.as_ref().and_then(|tag| json_tag(&tag.text));
                tag.is_some_and(|(value, _)| value.split(',').skip(1).any(|option| option == "string"))
            };
            if has(list, is_of_basic) && !is_string() {
                of_basic(seen, list, &field.expr, types, found);
            }
            of_enum(seen, list, found);
            if has(list, is_compared)
                && let Some((other, named, markers)) = types.own(&field.expr)
            {
                against(seen, list, (*other, &named.name.name, markers), found);
            }
        }
    }
}

/// Markers of an alias of a named type, which its fields in the same package do not have.
fn of_alias(
    seen: Seen<'_>,
    associated: &Associated,
    declared: &TypeDeclaration,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    let ExprKind::Ident(target) = &declared.expr.kind else { return };
    if !types.named.contains_key(&**target) {
        return;
    }
    for read in reads(seen, associated.types.get(declared.name.span.start).unwrap_or_default()) {
        let (name, alias) = (read.name(), &declared.name.name);
        let words = advised(
            format!("fields of this package do not have `{name}`, because {alias} is an alias of {target}"),
            format!("declare `type {alias} {target}`, or move the marker to {target}"),
        );
        found.push(Mistake::new(MistakeKind::Unused, read.place(seen), words));
    }
}

/// Whether a marker that counts has one of some meanings.
fn has(list: &[MarkerComment], is_meant: fn(Meaning) -> bool) -> bool {
    let mut read = list.iter().filter_map(|comment| comment.read.as_deref());
    read.any(|read| is_meant(read.marker.meaning()))
}

/// Markers that depend on what values the Go type has.
const fn is_of_basic(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::PreserveUnknownFields | Meaning::IntOrString | Meaning::Type)
}

/// Markers that other markers of the same field or type exclude, or that are wrong by themselves.
const fn is_of_enum(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Enum | Meaning::MinLength | Meaning::MinItems | Meaning::MinProperties)
}

/// Markers of a field that those of its type may contradict.
const fn is_compared(meaning: Meaning) -> bool {
    is_of_enum(meaning)
        || matches!(
            meaning,
            Meaning::Maximum
                | Meaning::Minimum
                | Meaning::MaxLength
                | Meaning::MaxItems
                | Meaning::MaxProperties
                | Meaning::Default
                | Meaning::JsonDefault
        )
}

pub(super) fn reads<'f>(seen: Seen<'f>, list: &'f [MarkerComment]) -> Vec<Read<'f>> {
    let known = list.iter().filter_map(|comment| Read::of(seen, comment));
    known.filter(|read| !read.marker.known.items).collect()
}

/// Markers on a text, a number or a boolean.
fn of_basic(
    seen: Seen<'_>,
    list: &[MarkerComment],
    expr: &Expr,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    if !has(list, is_of_basic) {
        return;
    }
    let reads = reads(seen, list);
    of_list(seen, &reads, expr, types, found);
    // Nothing of the Go type is in the schema then, or another type.
    let is_other = |read: &Read<'_>| match read.marker.meaning() {
        Meaning::Schemaless => true,
        Meaning::Type => matches!(read.value(), Some(Data::Text(kind)) if kind == "object"),
        _ => false,
    };
    if reads.iter().any(is_other) {
        return;
    }
    let mut basic = None;
    for read in reads {
        let meaning = read.marker.meaning();
        if !is_of_basic(meaning) {
            continue;
        }
        if meaning == Meaning::PreserveUnknownFields
            && let Some(items) = types.items(expr).and_then(|items| types.basic(items))
        {
            found.push(without_fields(seen, &read, &format!("a list of {}", items.several())));
            continue;
        }
        let Some(basic) = *basic.get_or_insert_with(|| types.basic(expr)) else { return };
        let (go, json) = match basic {
            Basic::Text => ("a string", "string"),
            Basic::Integer => ("an integer", "integer"),
            Basic::Bool => ("a boolean", "boolean"),
        };
        match meaning {
            Meaning::PreserveUnknownFields => {
                found.push(without_fields(seen, &read, go));
            }
            Meaning::IntOrString => {
                let words = advised(
                    format!("`{}` admits integers and strings, but Go decodes only {go} here", read.name()),
                    "use `intstr.IntOrString`, or remove it",
                );
                found.push(Mistake::new(MistakeKind::Unused, read.place(seen), words));
            }
            _ => {
                let Some(Data::Text(kind)) = read.value() else { continue };
                let is_same = kind == json || kind == "number" && basic == Basic::Integer;
                let is_type =
                    matches!(&**kind, "string" | "integer" | "number" | "boolean" | "array" | "object");
                if is_same || !is_type {
                    continue;
                }
                let words = advised(
                    format!("Go cannot decode a value of type `{kind}` as {go}"),
                    format!("write `{json}`"),
                );
                let place = value_place(seen, &read);
                let mistake = Mistake::new(MistakeKind::Value, place, words);
                found.push(mistake.replaced(format!("Change to `{json}`"), json.to_owned()));
            }
        }
    }
}

/// A list whose values are to have another type.
fn of_list(seen: Seen<'_>, reads: &[Read<'_>], expr: &Expr, types: &Types<'_>, found: &mut Vec<Mistake>) {
    let has = |meaning: Meaning| reads.iter().any(|read| read.marker.meaning() == meaning);
    let Some(items) = types.items(expr) else { return };
    // Go encodes bytes as a string.
    if matches!(&items.kind, ExprKind::Ident(name) if matches!(&**name, "byte" | "uint8")) {
        return;
    }
    for read in reads.iter().filter(|read| read.marker.meaning() == Meaning::Type) {
        let Some(Data::Text(kind)) = read.value() else { continue };
        if matches!(&**kind, "string" | "integer" | "number" | "boolean" | "object") {
            let is_free = has(Meaning::Schemaless);
            let remedy = if is_free { "remove the marker" } else { "write `array`" };
            let words = advised(format!("Go cannot decode a value of type `{kind}` as a list"), remedy);
            let mistake = Mistake::new(MistakeKind::Value, value_place(seen, read), words);
            found.push(match is_free {
                // Without a schema, an array lacks one of its items.
                true => {
                    let title = format!("Remove `{}`", read.name());
                    mistake.removed(seen, read.comment.comment, title, false)
                }
                false => mistake.replaced("Change to `array`".to_owned(), "array".to_owned()),
            });
        }
    }
}

/// `PreserveUnknownFields` where no value has fields.
fn without_fields(seen: Seen<'_>, read: &Read<'_>, go: &str) -> Mistake {
    let words = advised(format!("`{}` has no effect on {go}, which has no fields", read.name()), "remove it");
    let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words);
    mistake.removed(seen, read.comment.comment, format!("Remove `{}`", read.name()), true)
}

/// The value behind `=`.
pub(super) fn value_place(seen: Seen<'_>, read: &Read<'_>) -> Place {
    let value = read.marker.argument("");
    value.map_or_else(|| read.place(seen), |value| seen.within(read.comment, value.range.clone()))
}

/// Lower bounds with their upper bounds, and what has them.
const BOUNDS: [(Meaning, Meaning, &str); 4] = [
    (Meaning::Minimum, Meaning::Maximum, "number"),
    (Meaning::MinLength, Meaning::MaxLength, "text"),
    (Meaning::MinItems, Meaning::MaxItems, "list"),
    (Meaning::MinProperties, Meaning::MaxProperties, "object"),
];

fn number(value: &Value) -> Option<f64> {
    match &value.data {
        Data::Int(number) => Some(*number as f64),
        Data::Number(number) => Some(*number),
        _ => None,
    }
}

/// The last marker of a meaning, with its number.
fn bound<'r, 'f>(reads: &'r [Read<'f>], meaning: Meaning) -> Option<(&'r Read<'f>, f64)> {
    let read = reads.iter().rfind(|read| read.marker.meaning() == meaning)?;
    Some((read, number(read.marker.argument("")?)?))
}

/// Values of an enum that the bounds beside it exclude, and bounds of sizes that are negative.
fn of_enum(seen: Seen<'_>, list: &[MarkerComment], found: &mut Vec<Mistake>) {
    if !has(list, is_of_enum) {
        return;
    }
    let reads = reads(seen, list);
    for read in &reads {
        let is_least =
            matches!(read.marker.meaning(), Meaning::MinLength | Meaning::MinItems | Meaning::MinProperties);
        if is_least && matches!(read.value(), Some(Data::Int(number)) if *number < 0) {
            let words = advised(format!("a negative `{}` has no effect", read.name()), "write 0 or more");
            found.push(Mistake::new(MistakeKind::Value, value_place(seen, read), words));
        }
    }
    let of = |meaning| bound(&reads, meaning);
    let Some(read) = reads.iter().rfind(|read| read.marker.meaning() == Meaning::Enum) else { return };
    let Some(Data::List(values)) = read.value() else { return };
    for value in values {
        let (size, least, most) = match &value.data {
            Data::Text(text) => (text.chars().count() as f64, Meaning::MinLength, Meaning::MaxLength),
            Data::Int(number) => (*number as f64, Meaning::Minimum, Meaning::Maximum),
            Data::Number(number) => (*number, Meaning::Minimum, Meaning::Maximum),
            _ => continue,
        };
        let broken = of(least)
            .filter(|(_, least)| size < *least)
            .or_else(|| of(most).filter(|(_, most)| size > *most));
        if let Some((bound, _)) = broken {
            let written = seen.text(read.comment).get(value.range.clone()).unwrap_or("").trim();
            let words = advised(
                format!("`{}` excludes the value `{written}` of the enum", bound.name()),
                "change one of them",
            );
            let place = seen.within(read.comment, value.range.clone());
            let mistake = Mistake::new(MistakeKind::Bounds, place, words);
            found.push(mistake.beside(bound.place(seen), "the bound".to_owned()));
        }
    }
}

/// Markers of a field against those of its named type.
fn against(
    seen: Seen<'_>,
    list: &[MarkerComment],
    (other, name, markers): (Seen<'_>, &str, &[MarkerComment]),
    found: &mut Vec<Mistake>,
) {
    if list.is_empty() || markers.is_empty() {
        return;
    }
    let (own, named) = (reads(seen, list), reads(other, markers));
    let last = |reads: &[Read<'_>]| reads.iter().rposition(|read| read.marker.meaning() == Meaning::Enum);
    if let (Some(mine), Some(its)) = (last(&own), last(&named))
        && seen.version.has(Change::EnumMerge)
        && let (Some(mine), Some(its)) = (own.get(mine), named.get(its))
        && values(mine) != values(its)
    {
        let words = advised(
            format!("the enum of the type `{name}` replaces this one"),
            "remove this one, or that of the type",
        );
        let mistake = Mistake::new(MistakeKind::Overridden, mine.place(seen), words);
        found.push(mistake.beside(its.place(other), "this one has the effect".to_owned()));
    }
    let has_own = own.iter().any(|read| read.marker.meaning() == Meaning::ListType);
    if let (Some(default), Some(list)) = (default_of(own.iter()), ListType::of(named.iter()))
        && !has_own
    {
        list.unique(seen, default, found);
    }
    for (lower, upper, what) in BOUNDS {
        contradiction((seen, &own), (other, &named), (lower, upper), what, name, found);
    }
}

/// The values of an enum as JSON.
fn values(read: &Read<'_>) -> Vec<String> {
    let Some(Data::List(values)) = read.value() else { return Vec::new() };
    let mut values: Vec<String> =
        values.iter().filter_map(|value| Some(value.to_json()?.encoded())).collect();
    values.sort();
    values
}

/// Bounds of a field that exclude all values which those of its type admit. Where the two do not set the same keyword, the
/// schema has both, and its check finds them.
fn contradiction(
    (seen, own): (Seen<'_>, &[Read<'_>]),
    (other, named): (Seen<'_>, &[Read<'_>]),
    (lower, upper): (Meaning, Meaning),
    what: &str,
    name: &str,
    found: &mut Vec<Mistake>,
) {
    let (my_lower, my_upper) = (bound(own, lower), bound(own, upper));
    let (its_lower, its_upper) = (bound(named, lower), bound(named, upper));
    let is_merged =
        (my_lower.is_none() || its_lower.is_none()) && (my_upper.is_none() || its_upper.is_none());
    if is_merged {
        return;
    }
    let too_high = my_lower.zip(its_upper).filter(|((_, mine), (_, its))| mine > its);
    let too_low = my_upper.zip(its_lower).filter(|((_, mine), (_, its))| mine < its);
    if let Some(((mine, _), (its, _))) = too_high.or(too_low) {
        let words = advised(
            format!("no {what} is valid: the type `{name}` has `{}={}`", its.name(), its.written()),
            "change one of the two",
        );
        let mistake = Mistake::new(MistakeKind::Bounds, value_place(seen, mine), words);
        found.push(mistake.beside(its.place(other), "the bound of the type".to_owned()));
    }
}
