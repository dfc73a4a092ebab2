//! Explains what controller-gen reports: the problem, the remedy and the fix.

use text::start;

use super::anything::{self, is_anything};
use super::broken_lines::SYNTAX_ERROR;
use super::marker_moves::comment_around;
use super::mistake::{CheckedFile, Mistake, MistakeKind, MistakeText, advised, bare, nearest, written_name};
use super::tags::{is_builtin, json_name, json_value};
use super::type_names::{meant_types, most_wrong_letters, without_dot};
use crate::edits::field_at;
use crate::generate::Outcome;
use crate::load::{FileId, Place};
use crate::schema::{Misfit, Problem, ProblemKind, ProblemPlace};
use crate::strings;
use crate::syntax::{Expr, ExprKind, Field, File, Span, is_malformed, json_tag, names_json};
use crate::version::Change;

/// The start of the remedy in the longest message of controller-gen.
const DISCOURAGED: &str = ", the usage of which";

/// The maximum number of characters of a type to show.
const SHOWN: usize = 40;

/// The group of the core API.
const EMPTY_GROUP: &str = "+groupName=";

/// The value of `json` for an embedded struct.
const INLINE: &str = ",inline";

/// Kubernetes types that are strings in JSON.
const TEXTS: [&str; 3] = ["Duration", "MicroTime", "Time"];

/// The length up to which words with the same ending are not compared.
const SHORT: usize = 2;

/// The marker of a type in JSON, and its values.
const TYPE: &str = "kubebuilder:validation:Type";
const JSON_TYPES: [&str; 6] = ["string", "integer", "number", "boolean", "array", "object"];

/// The types of lists whose items are not objects.
const LISTS_OF_SCALARS: [&str; 2] = ["set", "atomic"];

impl Outcome {
    /// Explains a problem at `place`. The original message of controller-gen is attached as related information.
    #[must_use]
    pub fn explained(&self, problem: &Problem, place: Place) -> Mistake {
        if problem.message.starts_with(SYNTAX_ERROR)
            && let Some(slip) = self.syntax_slip(place.file)
        {
            return slip.mistake;
        }
        let message = problem.message.split(DISCOURAGED).next().unwrap_or_default();
        let own = match message.starts_with("controller-gen") {
            true => message.to_owned(),
            false => format!("controller-gen: {message}"),
        };
        let (kind, place) = &self.fitting(&problem.kind, place);
        let place = *place;
        let written = self.source(place.file).map_or("", |file| file.slice(place.span));
        // Releases that report no error for interfaces panic.
        let holds_anything =
            matches!(kind, ProblemKind::NoJson | ProblemKind::Conflict { .. } | ProblemKind::Other)
                && is_anything(written);
        let words = match kind {
            ProblemKind::Conflict { kept, dropped, .. } if self.is_inlined(place) => Some(advised(
                format!("`inline` merges a value of the type `{kept}` into one of the type `{dropped}`"),
                "remove `inline` from the tag, or use a struct",
            )),
            _ if holds_anything => Some(anything::mistake_text(written)),
            ProblemKind::Other if written.starts_with("struct") => Some(advised(
                "controller-gen does not support structs without a name",
                "declare a type for it",
            )),
            kind => mistake_text(kind, written),
        };
        let mistake = match words {
            Some(words) => Mistake::new(MistakeKind::Refused, place, words).with_related(place, own),
            None => Mistake::new(MistakeKind::Refused, place, MistakeText::new(own)),
        };
        let mistake = match kind {
            ProblemKind::Misplaced { applies_to, found } => match self.moved(mistake.clone(), applies_to) {
                // The message about the items already states where the marker belongs.
                Some(moved) if matches!(found, Misfit::ListType(_)) => {
                    Mistake { repairs: moved.repairs, ..mistake }
                }
                Some(moved) => moved,
                None => self.without_marker(mistake),
            },
            ProblemKind::NoListMap => self.with_list_type(mistake),
            ProblemKind::NotInteger => self.with_integer(mistake, written),
            ProblemKind::NotServed(_) | ProblemKind::Skipped | ProblemKind::EnumOfField => {
                self.without_marker(mistake)
            }
            ProblemKind::Word { written, known, .. } => match intended_word(written, known) {
                Some(word) => mistake.replaced(format!("Change `{written}` to `{word}`"), word.to_owned()),
                // Several words are possible, so each is a separate fix.
                None => known.iter().fold(mistake, |mistake, word| {
                    let edits = vec![(place, (*word).to_owned())];
                    mistake.or_repaired(format!("Change `{written}` to `{word}`"), edits)
                }),
            },
            ProblemKind::Untagged => self.with_tag(mistake),
            ProblemKind::Unimported => match written.split_once('.') {
                Some((package, _)) => self.with_import(mistake, package.trim_start_matches(['*', '[', ']'])),
                None => mistake,
            },
            _ if holds_anything => self.with_anything(mistake),
            ProblemKind::UnknownType(_) => match self.with_swapped_names(place) {
                Some(swapped) => Mistake { kind: mistake.kind, related: mistake.related, ..swapped },
                None => self.with_name(mistake, written),
            },
            ProblemKind::NoJson => self.without_field(mistake),
            ProblemKind::Float | ProblemKind::MapKey => as_text(mistake, written),
            ProblemKind::Other if written.starts_with("struct") => self.with_type(mistake, written),
            ProblemKind::Other if written == "error" => as_text(mistake, written),
            _ => mistake,
        };
        if problem.is_of_go { mistake.of_go() } else { mistake }
    }

    /// The kind of problem, limited to the words that fit the Go type below, and its place. A conflict with a type that does
    /// not exist is an error in that word.
    fn fitting(&self, kind: &ProblemKind, place: Place) -> (ProblemKind, Place) {
        let is_of_scalars = || {
            let seen = CheckedFile::all(place.file, self.source(place.file)?, self.version);
            match &bare(seen.expr_below(place.span)?).kind {
                ExprKind::Slice(items) | ExprKind::Array(items) => Some(is_builtin(bare(items))),
                _ => None,
            }
        };
        match kind {
            ProblemKind::Word { of, written, .. } if of == "listType" && is_of_scalars() == Some(true) => {
                let (of, written) = (of.clone(), written.clone());
                (ProblemKind::Word { of, written, known: &LISTS_OF_SCALARS }, place)
            }
            ProblemKind::Conflict { kept, dropped, .. } => {
                let marker = self.source(place.file).map_or("", |file| file.slice(place.span));
                let given = [kept, dropped].into_iter().find(|one| {
                    !JSON_TYPES.contains(&one.as_str()) && marker.ends_with(&format!("{TYPE}={one}"))
                });
                given.map_or((kind.clone(), place), |given| {
                    let (of, written) = (TYPE.to_owned(), given.clone());
                    let start = place.span.end - given.len() as u32;
                    let span = Span { start, ..place.span };
                    (ProblemKind::Word { of, written, known: &JSON_TYPES }, Place { span, ..place })
                })
            }
            other => (other.clone(), place),
        }
    }

    /// Whether the tag of the field at a place has the option `inline`.
    fn is_inlined(&self, place: Place) -> bool {
        let Some(file) = self.source(place.file) else { return false };
        let (_, rest) = file.text.split_at_checked(place.span.start as usize).unwrap_or_default();
        rest.lines().next().is_some_and(|line| line.contains(",inline"))
    }

    /// Explains a problem with a type of another module, at the token of the project that refers to the type. Without such a
    /// token, at the first package clause; `None` if no file is read.
    #[must_use]
    pub fn explained_at_use(&self, problem: &Problem, own: Option<Place>) -> Option<Mistake> {
        let message = format!("controller-gen: {}", problem.message);
        let Some(own) = own else {
            let clause =
                self.place_of(&Problem::new(ProblemPlace::Nowhere, String::new(), ProblemKind::Other))?;
            let Some(package) = self.with_empty_group(problem) else {
                return Some(Mistake::new(MistakeKind::Refused, clause, MistakeText::new(message)));
            };
            let problem =
                format!("controller-gen {} rejects `+groupName=` in package {package}", self.version);
            let mistake =
                Mistake::new(MistakeKind::Refused, clause, advised(problem, "update controller-gen"));
            return Some(mistake.with_related(clause, message));
        };
        let written = self.source(own.file).map_or("", |file| file.slice(own.span));
        let written = written.trim_start_matches(['*', '[', ']']);
        let remedy = match written {
            "time.Time" => "use `metav1.Time`",
            _ => "use another type",
        };
        let problem = format!("controller-gen cannot generate the type `{}`", start(written, SHOWN));
        let mistake = Mistake::new(MistakeKind::Refused, own, advised(problem, remedy));
        Some(mistake.with_related(own, message))
    }

    /// The package whose group has no value, if this release of controller-gen refuses that.
    fn with_empty_group(&self, problem: &Problem) -> Option<&str> {
        let ProblemPlace::Place(place) = &problem.place else { return None };
        let file = self.source(place.file).filter(|_| !self.version.has(Change::EmptyGroupName))?;
        let line = file.text.get(place.span.start as usize..)?.lines().next()?;
        let is_here =
            |first: FileId| self.source(first).is_some_and(|other| other.path.parent() == file.path.parent());
        let (package, _) = self.clauses().iter().find(|(_, first)| is_here(*first))?;
        (line.trim_start_matches('/').trim() == EMPTY_GROUP).then_some(package)
    }

    /// Adds the fix that removes the marker around the token.
    fn without_marker(&self, mistake: Mistake) -> Mistake {
        let Place { file: id, span } = mistake.place;
        let Some(file) = self.source(id) else { return mistake };
        let Some((written, comment)) = comment_around(file, span) else { return mistake };
        let name = written_name(written.trim_start_matches('/').trim_start());
        // The first argument is not part of the name.
        let name = Some(file.slice(span)).filter(|token| name.starts_with(*token)).unwrap_or(name);
        mistake.removed(CheckedFile::all(id, file, self.version), comment, format!("Remove `{name}`"), false)
    }

    /// Adds the fix that inserts `json` into the tag of a field, or a tag after the field.
    fn with_tag(&self, mistake: Mistake) -> Mistake {
        let Place { file: id, span } = mistake.place;
        let Some(file) = self.source(id) else { return mistake };
        let Some((field, _)) = field_at(file, span.start) else { return mistake };
        let Some(value) = self.json_of(file, field) else { return mistake };
        let key = format!("json:\"{value}\"");
        let (at, text) = match &field.tag {
            None => (field.spec.span.end, format!(" `{key}`")),
            Some(tag) if !tag.is_raw() || names_json(&tag.text) || is_malformed(&tag.text) => return mistake,
            Some(tag) if let Some(name) = near_json(&tag.text) => {
                let at = tag.part(name.start, name.len());
                let written = tag.text.get(name).unwrap_or_default();
                let remedy = Some("write `json` as its key".to_owned());
                let mistake = Mistake { place: Place { file: id, span: at }, remedy, ..mistake };
                return mistake.replaced(format!("Change `{written}` to `json`"), "json".to_owned());
            }
            Some(tag) => {
                let blank = if tag.text.is_empty() { "" } else { " " };
                (tag.span.end - 1, format!("{blank}{key}"))
            }
        };
        let place = Place { file: id, span: Span { start: at, end: at } };
        mistake.repaired(format!("Add `{key}`"), vec![(place, text)], false)
    }

    /// Adds the fix that writes the name of a similar type of the package.
    fn with_name(&self, mistake: Mistake, written: &str) -> Mistake {
        if written.contains('.') {
            return self.with_imported_name(mistake, written);
        }
        let Some(file) = self.source(mistake.place.file) else { return mistake };
        let of_package = self.sources().iter().filter(|other| other.path.parent() == file.path.parent());
        let names: Vec<&str> = of_package
            .flat_map(|other| other.types().map(|(_, declared)| &*declared.name.name))
            .filter(|name| *name != written)
            .chain(["string", "bool", "byte", "int32", "int64"])
            .collect();
        if let [first, others @ ..] = meant_types(written) {
            let remedy = others
                .iter()
                .fold(format!("write `{first}`"), |remedy, other| format!("{remedy} or `{other}`"));
            let mistake = Mistake { remedy: Some(remedy), ..mistake };
            return meant_types(written).iter().fold(mistake, |mistake, new| {
                let edits = vec![(mistake.place, (*new).to_owned())];
                mistake.or_repaired(format!("Change `{written}` to `{new}`"), edits)
            });
        }
        let nearest = || nearest(written, names, most_wrong_letters(written)).map(str::to_owned);
        let Some(name) = without_dot(file, written).or_else(nearest) else { return mistake };
        let mistake = Mistake { remedy: Some(format!("write `{name}`, or declare the type")), ..mistake };
        let edits = vec![(mistake.place, name.clone())];
        mistake.repaired(format!("Change `{written}` to `{name}`"), edits, false)
    }

    /// Adds the fix that writes the name of a similar exported type of another package.
    fn with_imported_name(&self, mistake: Mistake, written: &str) -> Mistake {
        let found = || {
            let (package, name) = written.trim_start_matches(['*', '[', ']']).rsplit_once('.')?;
            let file = self.source(mistake.place.file)?;
            let import = file.imports.iter().find(|import| import.is_named(package))?;
            let of_package = self.files_of(&import.path);
            let names = of_package.flat_map(|other| other.types().map(|(_, one)| &*one.name.name));
            let exported = names.filter(|known| known.starts_with(char::is_uppercase));
            let intended = nearest(name, exported.collect::<Vec<_>>(), most_wrong_letters(name))?;
            let at = mistake.place.span.start + file.slice(mistake.place.span).rfind(name)? as u32;
            let place = Place { span: Span { start: at, end: at + name.len() as u32 }, ..mistake.place };
            Some((name.to_owned(), format!("{package}.{intended}"), vec![(place, intended.to_owned())]))
        };
        let Some((name, whole, edits)) = found() else { return mistake };
        let intended = whole.rsplit('.').next().unwrap_or_default();
        let title = format!("Change `{name}` to `{intended}`");
        let mistake = Mistake { remedy: Some(format!("write `{whole}`")), ..mistake };
        mistake.repaired(title, edits, false)
    }

    /// Adds the fix that excludes the field from JSON and removes its markers, which then have no effect.
    fn without_field(&self, mistake: Mistake) -> Mistake {
        let Place { file: id, span } = mistake.place;
        let Some(file) = self.source(id) else { return mistake };
        let seen = CheckedFile::all(id, file, self.version);
        let Some((field, _)) = field_at(file, span.start) else { return mistake };
        let tag = field.tag.as_ref().filter(|tag| tag.is_raw());
        let Some((tag, (_, value))) = tag.and_then(|tag| Some((tag, json_tag(&tag.text)?))) else {
            return mistake;
        };
        let associated = file.associated(self.version);
        let markers = associated.fields.get(field.spec.span.start).unwrap_or_default();
        let known = markers.iter().filter(|comment| comment.read.is_some());
        let mut edits: Vec<(Place, String)> =
            known.map(|comment| (seen.line_of(comment.comment), String::new())).collect();
        edits.push((seen.place(tag.part(value.start, value.len())), "-".to_owned()));
        mistake.repaired("Set `json:\"-\"` (the field is not part of the API)".to_owned(), edits, false)
    }

    /// The value of a `json` tag that keeps the encoding of a field without a tag, with a name in the style
    /// of Kubernetes.
    fn json_of(&self, file: &File, field: &Field) -> Option<String> {
        match field.names.as_slice() {
            [] => match &bare(&field.expr).kind {
                ExprKind::Ident(name) => Some(match self.declared_in_package(file, name) {
                    Some(declared) if !matches!(declared.kind, ExprKind::Struct(_)) => json_name(name),
                    _ => INLINE.to_owned(),
                }),
                ExprKind::Qualified(_, name) if matches!(&**name, "ObjectMeta" | "ListMeta") => {
                    Some("metadata,omitempty".to_owned())
                }
                ExprKind::Qualified(..) => Some(INLINE.to_owned()),
                _ => None,
            },
            [one] if one.name.starts_with(char::is_uppercase) => {
                let associated = file.associated(self.version);
                Some(json_value(field, associated.fields.get(field.spec.span.start).unwrap_or_default()))
            }
            // Go does not encode it.
            [_] => Some("-".to_owned()),
            _ => None,
        }
    }

    /// Adds the fix that writes the nearest integer within the bound.
    fn with_integer(&self, mistake: Mistake, written: &str) -> Mistake {
        let file = self.source(mistake.place.file);
        let before = file.and_then(|file| file.text.get(..mistake.place.span.start as usize)).unwrap_or("");
        let is_maximum = before.ends_with("Maximum=");
        let nearest = |bound: f64| if is_maximum { bound.floor() } else { bound.ceil() };
        match strings::parse_float(written).map(nearest) {
            Ok(bound) if bound.abs() < 1e15 => {
                let edits = vec![(mistake.place, bound.to_string())];
                mistake.repaired(format!("Change `{written}` to `{bound}`"), edits, false)
            }
            _ => mistake,
        }
    }

    /// The type expression of a type that the package of a file declares.
    fn declared_in_package<'o>(&'o self, file: &File, name: &str) -> Option<&'o Expr> {
        let of_package = self.sources().iter().filter(|other| other.path.parent() == file.path.parent());
        let mut declared = of_package.flat_map(|other| other.types().map(|(_, declared)| declared));
        declared.find(|declared| *declared.name.name == *name).map(|declared| &declared.expr)
    }
}

/// The first key of a tag, if it differs from `json` by one letter.
fn near_json(tag: &str) -> Option<std::ops::Range<usize>> {
    let end = tag.find(":\"")?;
    let key = tag.get(..end)?;
    let is_word = key.chars().all(|ch| ch.is_ascii_alphabetic());
    (is_word && strsim::osa_distance(&key.to_lowercase(), "json") == 1).then_some(0..end)
}

/// Adds the fix that changes the type to a string.
fn as_text(mistake: Mistake, written: &str) -> Mistake {
    let edits = vec![(mistake.place, "string".to_owned())];
    mistake.repaired(format!("Change `{}` to `string`", start(written, SHOWN)), edits, false)
}

/// The problem and the remedy for a token as written; `None` if there is only controller-gen's message.
fn mistake_text(kind: &ProblemKind, written: &str) -> Option<MistakeText> {
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = start(&line, SHOWN);
    Some(match kind {
        ProblemKind::Other | ProblemKind::NoStorage => return None,
        ProblemKind::Misplaced { applies_to, found } => misplaced(&shown, applies_to, found),
        ProblemKind::Word { of, written, known } => {
            let remedy =
                intended_word(written, known).map_or_else(|| choices(known), |word| format!("`{word}`"));
            advised(format!("`{written}` is not a value of `{of}`"), format!("write {remedy}"))
        }
        ProblemKind::Url => {
            advised(format!("`{shown}` is not a URL"), "write a URL such as `https://example.com`")
        }
        ProblemKind::NotInteger => {
            advised(format!("the bound of an integer cannot be `{shown}`"), "write a whole number")
        }
        ProblemKind::NoListMap => {
            advised("`listMapKey` applies only to lists of type `map`", "add `listType=map`")
        }
        ProblemKind::NotServed(kind) => advised(
            format!("no version of {kind} is served"),
            "remove the marker from the type of one version",
        ),
        ProblemKind::NoValue => advised("an annotation or a label has no value", "write `name=value`"),
        ProblemKind::Skipped => advised(
            format!("`{shown}` is a marker of a version that `kubebuilder:skipversion` removes"),
            "remove one of the two markers",
        ),
        ProblemKind::NoConstants => {
            advised("the enum is empty, because its type has no constants", "declare constants of the type")
        }
        ProblemKind::EnumOfField => advised(
            format!("`{shown}` is a marker of a type with constants, not of a field"),
            "move it above the type, or write `kubebuilder:validation:Enum=a;b`",
        ),
        ProblemKind::Untagged => {
            advised("the field has no `json` tag", "add a tag such as `json:\"name\"`, or `json:\"-\"`")
        }
        ProblemKind::Float => advised(
            format!("controller-gen rejects `{shown}`, because languages differ in such numbers"),
            "use a string, or generate with `crd:allowDangerousTypes=true`",
        ),
        ProblemKind::NoJson => advised(
            format!("no schema describes the type `{shown}`"),
            "use another type, or add the tag `json:\"-\"`",
        ),
        ProblemKind::MapKey => advised(
            format!("the keys of a map are strings, not `{shown}`"),
            "use `string` as the type of the keys",
        ),
        ProblemKind::InUnion { name, is_marked: true } => {
            advised(format!("`{name}` is a member of a union, so it cannot be required"), "remove the marker")
        }
        ProblemKind::InUnion { name, is_marked: false } => advised(
            format!("`{name}` is a member of a union, so it must be optional"),
            "add `omitempty` to its tag",
        ),
        ProblemKind::UnknownType(name) => advised(
            format!("the type `{}` is not declared", short_type_name(name)),
            "declare the type, or correct its name",
        ),
        ProblemKind::NoSchema(name) => advised(
            format!("the type `{}` has no schema, because its package has errors", short_type_name(name)),
            "correct them first",
        ),
        ProblemKind::Unimported => {
            let package = shown.split('.').next().unwrap_or_default();
            advised(format!("the package `{package}` is not imported"), "import the package")
        }
        ProblemKind::Conflict { kept, dropped, .. } => advised(
            format!("the field has the type `{kept}`, and its Go type has `{dropped}`"),
            "give both the same `Type`",
        ),
    })
}

/// The explanation for a marker on a value that it does not apply to.
fn misplaced(marker: &str, applies_to: &str, found: &Misfit) -> MistakeText {
    let remedy = "remove the marker, or change the type";
    match found {
        Misfit::Kind(kind) => advised(format!("`{marker}` applies to {applies_to}, not to {kind}"), remedy),
        Misfit::Type(name) if TEXTS.contains(&&**name) && applies_to == "strings" => advised(
            format!("`{marker}` applies to strings, and controller-gen does not know that `{name}` is one"),
            "add `kubebuilder:validation:Type=string`",
        ),
        Misfit::Type(name) => {
            advised(format!("`{marker}` applies to {applies_to}, not to the type `{name}`"), remedy)
        }
        Misfit::Failed => advised(
            format!("`{marker}` applies to {applies_to}, and the type of the field has no schema"),
            "correct the type first",
        ),
        Misfit::ListType(name) => advised(
            format!("`{marker}` does not apply to the items of the type `{name}`"),
            "put the marker on the declaration of that type",
        ),
    }
}

/// The known word that another word means: the nearest one, or the only one with the same ending.
fn intended_word(written: &str, known: &[&'static str]) -> Option<&'static str> {
    nearest(written, known.iter().copied(), most_wrong_letters(written)).or_else(|| {
        let end = written.to_lowercase();
        let mut alike = known.iter().copied().filter(|word| word.to_lowercase().ends_with(&end));
        alike.next().filter(|_| alike.next().is_none() && written.len() > SHORT)
    })
}

/// A list of alternatives: `a`, `b` or `c`.
fn choices(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => quoted.concat(),
    }
}

/// A type such as `"example.com/api/v1".Kind` with the last part of its package.
fn short_type_name(name: &str) -> String {
    let Some((package, of)) = name.strip_prefix('"').and_then(|rest| rest.split_once("\".")) else {
        return name.to_owned();
    };
    format!("{}.{of}", package.rsplit('/').next().unwrap_or(package))
}
