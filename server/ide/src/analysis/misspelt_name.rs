//! Slips in the names of a definition: `kind`, `listKind`, `singular` and `plural` follow from each other, so the one
//! that differs from the others by a few letters is a slip.

use api::Code;
use crd::object::{CustomResourceDefinition, definitions};
use crd::{FieldPath, Message, Segment};
use text::TextRange;
use yaml::{Document, Reader, Value};

use crate::analysis::plural::plural_of;
use crate::analysis::values::string;
use crate::{Finding, RelatedInformation, Severity};

/// The minimum length of a name. Shorter names are similar to others by chance.
const SHORTEST: usize = 4;
/// Names of at least this length may differ in two letters.
const LONG: usize = 9;
const LIST: &str = "List";

/// The names of a definition as written.
struct WrittenNames<'t> {
    kind: Option<(Value<'t>, String)>,
    list_kind: Option<(Value<'t>, String)>,
    singular: Option<(Value<'t>, String)>,
    plural: Option<(Value<'t>, String)>,
    /// The part of `metadata.name` before the group.
    of_metadata: Option<(Value<'t>, String)>,
}

/// A name that differs from the others.
pub(crate) struct MisspeltName<'t> {
    pub(crate) key: &'static str,
    pub(crate) value: Value<'t>,
    written: String,
    /// The name that the others show, if its capitals are known.
    pub(crate) intended: Option<String>,
    /// The intended name in lower case.
    shown: String,
}

impl<'t> WrittenNames<'t> {
    fn of(definition: &CustomResourceDefinition<'_, 't>) -> Self {
        let of = |path: &[&str]| {
            let value = definition.field(path)?;
            Some((value, string(value)?))
        };
        let group = of(&["spec", "group"]).map(|(_, group)| format!(".{group}"));
        let in_metadata = || {
            let (value, name) = of(&["metadata", "name"])?;
            Some((value, name.strip_suffix(&group?)?.to_owned()))
        };
        Self {
            kind: of(&["spec", "names", "kind"]),
            list_kind: of(&["spec", "names", "listKind"]),
            singular: of(&["spec", "names", "singular"]),
            plural: of(&["spec", "names", "plural"]),
            of_metadata: in_metadata(),
        }
    }

    /// The number of the names in lower case, except for the singular and the name of lists, that follow from `noun`.
    fn plurals_of(&self, noun: &str) -> usize {
        let plural = plural_of(noun);
        let has = |name: &Option<(Value<'t>, String)>| name.as_ref().is_some_and(|(_, name)| *name == plural);
        usize::from(has(&self.plural)) + usize::from(has(&self.of_metadata))
    }

    /// The slip in `kind`, `listKind` or `singular`, if the other names show which one it is.
    fn slip(&self) -> Option<MisspeltName<'t>> {
        self.slip_in_list_kind().or_else(|| self.slip_in_singular())
    }

    fn slip_in_list_kind(&self) -> Option<MisspeltName<'t>> {
        let ((kind_at, kind), (list_at, list)) = (self.kind.as_ref()?, self.list_kind.as_ref()?);
        let intended = format!("{kind}{LIST}");
        let stem = list.strip_suffix(LIST).filter(|stem| !stem.is_empty());
        let has_capital = |name: &str| name.chars().any(|letter| letter.is_ascii_uppercase());
        if let Some(stem) = stem.filter(|stem| kind.eq_ignore_ascii_case(stem))
            && !has_capital(kind)
            && has_capital(stem)
        {
            return Some(MisspeltName::new("kind", *kind_at, kind, stem));
        }
        let is_of_plural = list.strip_suffix(LIST).and_then(|stem| stem.strip_suffix('s')) == Some(kind);
        if is_of_plural || !is_slip_within(&list.to_lowercase(), &intended.to_lowercase(), LONG + LIST.len())
        {
            return None;
        }
        let is_singular = |noun: &str| self.singular.as_ref().is_some_and(|(_, name)| name == noun);
        let shown = |noun: &str| self.plurals_of(noun) + usize::from(is_singular(noun));
        match stem.filter(|stem| shown(&stem.to_lowercase()) > shown(&kind.to_lowercase())) {
            Some(stem) => Some(MisspeltName::new("kind", *kind_at, kind, stem)),
            None => Some(MisspeltName::new("listKind", *list_at, list, &intended)),
        }
    }

    fn slip_in_singular(&self) -> Option<MisspeltName<'t>> {
        let ((kind_at, kind), (singular_at, singular)) = (self.kind.as_ref()?, self.singular.as_ref()?);
        let (noun, bare) = (kind.to_lowercase(), singular.replace('-', ""));
        if !is_slip(&bare, &noun) {
            return None;
        }
        let stem = self.list_kind.as_ref().and_then(|(_, list)| list.strip_suffix(LIST));
        let is_of_list = |noun: &str| stem.is_some_and(|stem| stem.to_lowercase() == *noun);
        let shown = |noun: &str| self.plurals_of(noun) + usize::from(is_of_list(noun));
        let (of_kind, of_singular) = (shown(&noun), shown(singular));
        if of_kind > of_singular {
            return Some(MisspeltName::new("singular", *singular_at, singular, &noun));
        }
        if of_kind == of_singular {
            return None;
        }
        let mut slip = MisspeltName::new("kind", *kind_at, kind, singular);
        let has_one_capital = kind.chars().skip(1).all(|letter| letter.is_ascii_lowercase());
        slip.intended = match stem.filter(|_| is_of_list(singular)) {
            Some(stem) => Some(stem.to_owned()),
            None => has_one_capital.then(|| text::capitalized(singular)),
        };
        Some(slip)
    }

    /// The plural that differs from the one in `metadata.name`, with that one, if the kind shows that the plural is the
    /// slip.
    fn slip_in_plural(&self) -> Option<MisspeltName<'t>> {
        let ((at, plural), (_, intended)) = (self.plural.as_ref()?, self.of_metadata.as_ref()?);
        let nouns = [&self.kind, &self.singular]
            .map(|name| name.as_ref().map(|(_, name)| plural_of(&name.to_lowercase())));
        let is_shown = |plural: &String| nouns.iter().flatten().any(|noun| noun == plural);
        let is_it = is_slip(plural, intended) && is_shown(intended) && !is_shown(plural);
        is_it.then(|| MisspeltName::new("plural", *at, plural, intended))
    }
}

impl<'t> MisspeltName<'t> {
    fn new(key: &'static str, value: Value<'t>, written: &str, intended: &str) -> Self {
        Self {
            key,
            value,
            written: written.to_owned(),
            intended: Some(intended.to_owned()),
            shown: intended.to_lowercase(),
        }
    }

    /// The slip in the names of `definition`.
    pub(crate) fn of(definition: &CustomResourceDefinition<'_, 't>) -> Option<Self> {
        WrittenNames::of(definition).slip()
    }

    /// The plural of `definition`, if it is a slip that makes `metadata.name` wrong.
    pub(crate) fn of_plural(definition: &CustomResourceDefinition<'_, 't>) -> Option<Self> {
        WrittenNames::of(definition).slip_in_plural()
    }

    fn message(&self) -> Message {
        let Self { key, written, shown, .. } = self;
        let problem = match self.intended.as_ref().filter(|_| *key == "listKind") {
            Some(intended) => format!("`listKind` is `{written}`, but the list of the kind is `{intended}`"),
            None => format!("`{key}` is `{written}`, but the other names belong to `{shown}`"),
        };
        match &self.intended {
            Some(intended) => Message::new(problem).advise(format!("write `{intended}`")),
            None => Message::new(problem).advise("correct its letters"),
        }
    }

    fn path(&self, definition: &CustomResourceDefinition<'_, 't>) -> FieldPath {
        let mut path = definition.path().clone();
        for name in ["spec", "names", self.key] {
            path.push(Segment::Name(name.into()));
        }
        path
    }
}

/// Adds the findings on slips in the names of the definitions in `document`, and moves the finding on a name that a
/// misspelt plural makes wrong to the plural.
pub(crate) fn report(document: Document<'_>, findings: &mut Vec<Finding>) {
    let reader = Reader::new(document);
    for definition in definitions(document, &reader) {
        let is_valid = |slip: &MisspeltName<'_>| {
            !findings.iter().any(|one| one.severity == Severity::Error && one.range == slip.value.range())
        };
        if let Some(slip) = MisspeltName::of(&definition).filter(is_valid) {
            findings.push(Finding {
                code: Code::LintMisspeltName,
                severity: Severity::Warning,
                message: slip.message(),
                range: slip.value.range(),
                field_path: slip.path(&definition),
                api_server: None,
                related: Vec::new(),
            });
        }
        let Some(range) = definition.field(&["metadata", "name"]).map(Value::range) else { continue };
        let is_wrong = |one: &&mut Finding| one.code == Code::NamesMetadataName && one.range == range;
        if let Some(finding) = findings.iter_mut().find(is_wrong)
            && let Some(slip) = MisspeltName::of_plural(&definition)
        {
            move_to_plural(finding, &slip, range);
        }
    }
}

fn move_to_plural(finding: &mut Finding, slip: &MisspeltName<'_>, name: TextRange) {
    let problem = format!("`plural` is `{}`, but `metadata.name` begins with `{}`", slip.written, slip.shown);
    finding.message = Message::new(problem).advise(format!("write `{}`", slip.shown));
    finding.range = slip.value.range();
    finding.related.push(RelatedInformation::here(name, "the name of the definition"));
}

/// Whether one name differs from the other by a slip. A plural is another name.
fn is_slip(written: &str, intended: &str) -> bool {
    is_slip_within(written, intended, LONG)
}

/// The same, where names of at least `long` letters may differ in two of them.
fn is_slip_within(written: &str, intended: &str, long: usize) -> bool {
    let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
    let least = written.len().min(intended.len());
    let most = if least >= long { 2 } else { 1 };
    least >= SHORTEST
        && !written.eq_ignore_ascii_case(intended)
        && !is_plural(written, intended)
        && !is_plural(intended, written)
        && crd::suggest::slips(written, intended).is_some_and(|slips| slips <= most)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn a_name_that_differs_from_the_others_is_one_finding() {
        for (right, written) in [
            ("listKind: WidgetList", "listKind: WidgtList"),
            ("listKind: WidgetList", "listKind: WidgetLits"),
            ("kind: Widget\n    listKind", "kind: Wigdet\n    listKind"),
            ("kind: Widget\n    listKind", "kind: widget\n    listKind"),
            ("singular: widget", "singular: wiget"),
            ("plural: widgets", "plural: widgts"),
            ("name: widgets.example.com", "name: widgts.example.com"),
        ] {
            let text = WIDGET.replacen(right, written, 1);
            assert_ne!(text, WIDGET, "{right}");
            let file = File::new(&text, &Settings::default());
            let mut found = file.grouped().findings;
            found.retain(|finding| finding.severity <= Severity::Warning);
            assert_eq!(found.len(), 1, "{written}: {found:#?}");
            let at = &text[found[0].range.as_usize()];
            assert!(written.contains(at), "{written}: {at}");
            let fixes = file.fixes(found[0].range);
            assert_eq!(text::applied(&text, 0, &fixes.first().unwrap().edits), WIDGET, "{written}");
        }
    }

    #[test]
    fn names_that_differ_by_intention_have_no_finding() {
        for (right, written) in [
            ("listKind: WidgetList", "listKind: Widgets"),
            ("listKind: WidgetList", "listKind: WidgetsList"),
            ("listKind: WidgetList", "listKind: Widgetlist"),
            ("listKind: WidgetList", "listKind: AllWidgets"),
            ("singular: widget", "singular: wid-get"),
            ("singular: widget", "singular: gadget"),
            ("singular: widget", "singular: widgets"),
        ] {
            let text = WIDGET.replacen(right, written, 1);
            assert_ne!(text, WIDGET, "{right}");
            let found = File::new(&text, &Settings::default()).grouped().findings;
            assert!(found.iter().all(|one| one.severity > Severity::Warning), "{written}: {found:#?}");
        }
    }
}
