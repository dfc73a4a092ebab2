//! Suggestions for undefined names.

use cel::ast::{Expr, ExprId, ExprKind, Function, Operator};
use cel::env::{MACROS, library};
use cel::{DeclKind, DeclObject, Issue, IssueCode, TokenKind, Type};
use rustc_hash::FxHashSet;
use text::{TextRange, TextSize};

use crate::cel::compile::{Expression, InspectedExpression};
use crate::cel::wording::{issue_range, signature, type_name};

/// The words that cannot be names, not even after a dot.
const KEYWORDS: [&str; 4] = ["in", "true", "false", "null"];

/// A longer name is not a typing error.
const LONGEST: usize = 100;
/// A shorter name of another language is too easily confused with other names.
const SHORTEST_MISSPELT: usize = 6;
/// The maximum number of names to compare; no object written by hand has so many fields.
const MOST_NAMES: usize = 1_000;

/// Functions and variables of other languages, in lower case, and their names in CEL.
const OF_OTHER_LANGUAGES: [(&str, &str); 42] = [
    ("any", "exists"),
    ("anymatch", "exists"),
    ("allmatch", "all"),
    ("beginswith", "startsWith"),
    ("count", "size"),
    ("defined", "has"),
    ("each", "all"),
    ("every", "all"),
    ("exists", "has"),
    ("float", "double"),
    ("forall", "all"),
    ("foreach", "all"),
    ("hasprefix", "startsWith"),
    ("hassuffix", "endsWith"),
    ("includes", "contains"),
    ("isdefined", "has"),
    ("isset", "has"),
    ("len", "size"),
    ("length", "size"),
    ("lower", "lowerAscii"),
    ("match", "matches"),
    ("new", "self"),
    ("newself", "self"),
    ("nil", "null"),
    ("none", "null"),
    ("old", "oldSelf"),
    ("oldobject", "oldSelf"),
    ("oldvalue", "oldSelf"),
    ("present", "has"),
    ("regex", "matches"),
    ("regexmatch", "matches"),
    ("some", "exists"),
    ("test", "matches"),
    ("this", "self"),
    ("tolower", "lowerAscii"),
    ("tolowercase", "lowerAscii"),
    ("toupper", "upperAscii"),
    ("touppercase", "upperAscii"),
    ("undefined", "null"),
    ("upper", "upperAscii"),
    ("value", "self"),
    ("where", "filter"),
];

/// A name that is wrong, and the right one.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The range of the name, in bytes of the expression.
    pub range: TextRange,
    /// The right name.
    pub name: String,
    /// The property that the name refers to, if the property is spelled differently.
    pub property: Option<String>,
}

/// Suggestions for the undefined names in `expression`, if `is_wanted` holds for the range of the error.
pub(crate) fn suggestions<'e>(
    expression: &'e Expression<'e>,
    inspected: &'e InspectedExpression,
    is_wanted: &'e dyn Fn(TextRange) -> bool,
) -> impl Iterator<Item = Suggestion> + 'e {
    let text = expression.text;
    // Issues are filtered first, because each suggestion requires a walk over all names.
    let of_macros = inspected.syntax.iter().filter(|issue| issue.code == IssueCode::Macro);
    let issues = inspected.checked.issues.iter().chain(of_macros);
    let issues = issues.filter(move |issue| is_wanted(issue_range(text, issue)) || is_wanted(issue.range));
    let found = issues.filter_map(move |issue| suggestion(expression, inspected, issue));
    let mut known: FxHashSet<TextRange> = FxHashSet::default();
    let all = found.chain(keywords(expression, inspected, text));
    all.filter(move |suggestion| known.insert(suggestion.range))
}

/// Properties after a dot that are keywords of the language, such as `self.in`: no parser accepts these as
/// names.
fn keywords<'e>(
    expression: &'e Expression<'e>,
    inspected: &'e InspectedExpression,
    text: &'e str,
) -> impl Iterator<Item = Suggestion> + 'e {
    let tokens = cel::tokenize(text);
    let pairs: Vec<_> = tokens
        .iter()
        .zip(tokens.iter().skip(1))
        .filter(|(dot, _)| dot.kind == TokenKind::Dot)
        .map(|(dot, word)| (dot.range, word.range))
        .collect();
    pairs.into_iter().filter_map(move |(dot, word)| {
        let written = text.get(word.as_usize()).filter(|word| KEYWORDS.contains(word))?;
        let Type::Object(object) =
            inspected.checked.type_of(operand(inspected, dot.start)?).unwrap_optional().0
        else {
            return None;
        };
        let DeclKind::Object(object) = &expression.declared(object)?.kind else { return None };
        let name = spelled_out(object, written)?;
        Some(Suggestion { range: word, name, property: Some(written.to_owned()) })
    })
}

/// The suggestion for the name that an issue is about.
pub(crate) fn suggestion(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    issue: &Issue,
) -> Option<Suggestion> {
    let text = expression.text;
    match issue.code {
        IssueCode::UndefinedField => field(expression, inspected, text, issue),
        IssueCode::NoFieldSelection => method(inspected, text, issue),
        IssueCode::Undeclared => name(expression, inspected, text, issue),
        IssueCode::Macro => tested(expression, text, issue),
        _ => None,
    }
}

fn field(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    text: &str,
    issue: &Issue,
) -> Option<Suggestion> {
    let range = issue_range(text, issue);
    let operand = operand(inspected, issue.anchor?)?;
    let Type::Object(object) = inspected.checked.type_of(operand).unwrap_optional().0 else { return None };
    let DeclKind::Object(object) = &expression.declared(object)?.kind else { return None };
    let written = text.get(range.as_usize())?.trim_start_matches('?').trim();
    let start = range.end - written.len() as TextSize;
    let rest = text.get(start as usize..)?;
    // CEL reads `self.old-name` as a subtraction, and `self.namespace` is not a field before 1.32.
    let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= LONGEST);
    let properties = ends.filter_map(|end| rest.split_at_checked(end));
    let whole = properties.filter(|(_, after)| !after.starts_with(is_name)).map(|(property, _)| property);
    let longest = whole.filter_map(|property| Some((property, spelled_out(object, property)?))).last();
    if let Some((property, name)) = longest {
        let range = TextRange::new(start, start + property.len() as TextSize);
        return Some(Suggestion { range, name, property: Some(property.to_owned()) });
    }
    if let Some(range) = with_dashes(inspected, text, issue) {
        let written = text.get(range.as_usize())?;
        let near = nearest(written, object.fields.values().map(|field| &*field.property))?;
        let (name, _) = object.fields.iter().find(|(_, field)| *field.property == *near)?;
        return Some(Suggestion { range, name: name.to_string(), property: None });
    }
    let Some(best) = nearest(written, object.order.iter().map(String::as_str)) else {
        // `self.spec.a` in a rule of `spec`.
        let below = rest.strip_prefix(written)?.strip_prefix('.')?;
        let name = below.split(|ch| !is_name(ch)).next().filter(|name| object.fields.contains_key(*name))?;
        let range = TextRange::at(start, (written.len() + 1 + name.len()) as TextSize);
        return Some(Suggestion { range, name: name.to_owned(), property: None });
    };
    Some(Suggestion { range: TextRange::new(start, range.end), name: best.to_owned(), property: None })
}

/// The range of a name with `-` that starts with the undefined field of an issue. CEL reads a subtraction, whose other
/// operands are undeclared as well.
pub(crate) fn with_dashes(inspected: &InspectedExpression, text: &str, issue: &Issue) -> Option<TextRange> {
    if issue.code != IssueCode::UndefinedField {
        return None;
    }
    let first = issue_range(text, issue);
    let start = first.end - text.get(first.as_usize())?.trim_start_matches('?').trim().len() as TextSize;
    let rest = text.get(start as usize..)?;
    let end = rest.find(|ch| !is_name(ch) && ch != '-').unwrap_or(rest.len());
    let written = rest.get(..end).filter(|written| written.contains('-') && written.len() <= LONGEST)?;
    let mut at = start;
    let mut parts = written.split('-').map(|part| {
        let range = TextRange::at(at, part.len() as TextSize);
        at = range.end + 1;
        range
    });
    let is_undeclared = |part: TextRange| {
        let mut all = inspected.ast.exprs();
        all.any(|(id, expr)| {
            expr.range == part
                && matches!(expr.kind, ExprKind::Ident(_))
                && *inspected.checked.type_of(id) == Type::Error
        })
    };
    let is_name = parts.next().is_some_and(|part| part.end == first.end) && parts.all(is_undeclared);
    is_name.then(|| TextRange::at(start, written.len() as TextSize))
}

/// A function without arguments that is written as a field: `self.size`, or `self.length` as in other
/// languages.
fn method(inspected: &InspectedExpression, text: &str, issue: &Issue) -> Option<Suggestion> {
    let anchor = issue.anchor?;
    let of = inspected.checked.type_of(operand(inspected, anchor)?).unwrap_optional().0;
    let rest = text.get(anchor as usize..)?.strip_prefix('.')?;
    let written = rest.split(|ch| !is_name(ch)).next().filter(|written| !written.is_empty())?;
    let functions = [written, of_other_language(written, &["size"]).unwrap_or(written)];
    let function = functions.into_iter().find(|name| has_method(of, name))?;
    let range = TextRange::at(anchor + 1, written.len() as TextSize);
    Some(Suggestion { range, name: format!("{function}()"), property: None })
}

/// Whether values of a type have a function of that name without arguments.
fn has_method(of: &Type, name: &str) -> bool {
    let of = type_name(of);
    let kind = |name: &str| name.split(['(', '.']).next().map(str::to_owned);
    let overloads = library().function(name).into_iter().flat_map(|function| function.overloads());
    let mut members = overloads.filter(|overload| overload.member && overload.params.len() == 1);
    members.any(|overload| kind(&signature(overload)) == kind(&of))
}

/// The name of `property` in `object`, if it differs from the property.
fn spelled_out(object: &DeclObject, property: &str) -> Option<String> {
    let name = cel::escape(property)?;
    (name != property && object.fields.get(&name)?.property == property).then_some(name)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn operand(inspected: &InspectedExpression, anchor: TextSize) -> Option<ExprId> {
    let at = inspected.ast.exprs().filter(|(_, expr)| expr.anchor == anchor);
    at.filter_map(|(_, expr)| match &expr.kind {
        ExprKind::Select { operand, .. } => Some(*operand),
        ExprKind::Call { function: Function::Operator(Operator::OptSelect), args, .. } => {
            inspected.ast.list(*args).first().copied()
        }
        _ => None,
    })
    .next()
}

/// A variable, or a function, which a parenthesis follows.
fn name(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    text: &str,
    issue: &Issue,
) -> Option<Suggestion> {
    let anchor = issue.anchor?;
    let env = inspected.env;
    let is_call = text.as_bytes().get(anchor as usize) == Some(&b'(');
    if !is_call {
        let written = text.get(issue.range.as_usize())?;
        if expression.self_type.decl_type.field(written).is_some() {
            let name = format!("self.{written}");
            return Some(Suggestion { range: issue.range, name, property: None });
        }
        let names = ["self", "oldSelf", "true", "false", "null"];
        let best = of_other_language(written, &names).or_else(|| nearest(written, names));
        let best = best.map(str::to_owned).or_else(|| compared_text(inspected, written, anchor))?;
        return Some(Suggestion { range: issue.range, name: best, property: None });
    }
    let range = cel::name_before(&cel::tokenize(text), anchor)?;
    let functions = library().functions().filter(|function| env.function(function.name).is_some());
    let functions = functions.map(|function| function.name.rsplit('.').next().unwrap_or(function.name));
    let macros = MACROS.iter().filter(|form| form.is_in(env)).map(|form| form.name);
    let names: Vec<&str> = functions.chain(macros).collect();
    let written = text.get(range.as_usize())?;
    let best = of_other_language(written, &names);
    let best = best.or_else(|| nearest(written, names.iter().copied()));
    let best = best.or_else(|| misspelt(written, &names))?;
    Some(Suggestion { range, name: best.to_owned(), property: None })
}

/// The word at `anchor` in quotes, if the expression compares it with a string.
fn compared_text(inspected: &InspectedExpression, written: &str, anchor: TextSize) -> Option<String> {
    let ast = &inspected.ast;
    let is_word = |expr: &Expr| expr.anchor == anchor && matches!(expr.kind, ExprKind::Ident(_));
    let (word, _) = ast.exprs().find(|(_, expr)| is_word(expr))?;
    let other = ast.exprs().find_map(|(_, expr)| match &expr.kind {
        ExprKind::Call {
            function: Function::Operator(Operator::Equals | Operator::NotEquals), args, ..
        } => match ast.list(*args) {
            [left, right] if *right == word => Some(*left),
            [left, right] if *left == word => Some(*right),
            _ => None,
        },
        _ => None,
    })?;
    // A comparison of two texts is not meant.
    let is_value = !matches!(ast.expr(other).kind, ExprKind::Literal(_));
    (is_value && *inspected.checked.type_of(other) == Type::String).then(|| format!("'{written}'"))
}

/// A field of `self` in `has`, written without `self`.
fn tested(expression: &Expression<'_>, text: &str, issue: &Issue) -> Option<Suggestion> {
    let before = text.get(..issue.range.start as usize)?.trim_end().strip_suffix('(')?.trim_end();
    let written = text.get(issue.range.as_usize())?;
    let name = written.trim_matches(['\'', '"']);
    let is_field = before.ends_with("has") && expression.self_type.decl_type.field(name).is_some();
    is_field.then(|| Suggestion { range: issue.range, name: format!("self.{name}"), property: None })
}

/// The entry of `names` that is the CEL name of `written`, a name of another language.
fn of_other_language<'n>(written: &str, names: &[&'n str]) -> Option<&'n str> {
    let lower = written.to_lowercase();
    let (_, intended) = OF_OTHER_LANGUAGES.iter().find(|(other, _)| *other == lower)?;
    names.iter().copied().find(|name| name == intended)
}

/// Like `of_other_language`, but with one wrong letter. Short names are excluded, because they resemble too
/// many others.
fn misspelt<'n>(written: &str, names: &[&'n str]) -> Option<&'n str> {
    let lower = written.to_lowercase();
    let is_near = |other: &str| {
        other.len() >= SHORTEST_MISSPELT
            && other.len().abs_diff(lower.len()) <= 1
            && strsim::osa_distance(other, &lower) == 1
    };
    let mut others = OF_OTHER_LANGUAGES.iter().filter(|(other, _)| is_near(other));
    others.find_map(|(_, intended)| names.iter().copied().find(|name| name == intended))
}

/// The name that is most similar to `written`; `None` if no name is similar. `None` also if there are very
/// many names, because a text may have just as many wrong names.
pub fn nearest<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if written.len() > LONGEST {
        return None;
    }
    let names: Vec<&str> = names.into_iter().take(MOST_NAMES + 1).collect();
    if names.len() > MOST_NAMES {
        return None;
    }
    let lower = written.to_lowercase();
    let most = (written.chars().count() / 3).clamp(1, 3);
    // The difference in length is a lower bound of the distance.
    let length = lower.chars().count();
    let distances = names
        .into_iter()
        .filter(|name| *name != written)
        .map(|name| (name.to_lowercase(), name))
        .filter(|(other, _)| other.chars().count().abs_diff(length) <= most)
        .map(|(other, name)| (strsim::osa_distance(&lower, &other), name));
    let best = distances.min()?;
    (best.0 <= most).then_some(best.1)
}
