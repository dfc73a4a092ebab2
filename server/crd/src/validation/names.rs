//! `spec.names` (`ValidateCustomResourceDefinitionNames`, and the required names): checks 42 to 52.

use api::Code;
use text::TextRange;

use super::findings::{Findings, Problem};
use crate::go;
use crate::message::Message;
use crate::names::dns_1035_label;
use crate::object::Node;
use crate::report::ErrorType;

/// Names with the server's defaults.
pub(super) struct Names<'r, 't> {
    node: Node<'r, 't>,
    pub(super) plural: String,
    singular: String,
    pub(super) kind: String,
    list_kind: String,
    /// The range of the kind, if a missing name was derived from it.
    singular_from: Option<TextRange>,
    list_kind_from: Option<TextRange>,
}

impl<'r, 't> Names<'r, 't> {
    /// The names at `node`, which is `spec.names`.
    pub(super) fn read(node: Node<'r, 't>) -> Self {
        let [plural, singular, kind, list_kind] = node.children(["plural", "singular", "kind", "listKind"]);
        let text = |node: &Node<'_, '_>| node.text().into_owned();
        let mut names = Self {
            plural: text(&plural),
            singular: text(&singular),
            kind: text(&kind),
            list_kind: text(&list_kind),
            singular_from: None,
            list_kind_from: None,
            node,
        };
        if !names.kind.is_empty() {
            if names.singular.is_empty() {
                names.singular = go_lower(&names.kind);
                names.singular_from = Some(kind.range());
            }
            if names.list_kind.is_empty() {
                names.list_kind = format!("{}List", names.kind);
                names.list_kind_from = Some(kind.range());
            }
        }
        names
    }

    /// Checks that the required names are set.
    pub(super) fn check_required(&self, findings: &mut Findings<'_>) {
        let rules = [
            (
                "plural",
                &self.plural,
                Code::NamesPluralRequired,
                "`plural` is missing",
                "add the plural in lower case, as in URLs",
            ),
            (
                "singular",
                &self.singular,
                Code::NamesSingularRequired,
                "`singular` is missing and has no default without `kind`",
                "add `kind`",
            ),
            (
                "kind",
                &self.kind,
                Code::NamesKindRequired,
                "`kind` is missing",
                "add the kind in CamelCase, such as `Widget`",
            ),
            (
                "listKind",
                &self.list_kind,
                Code::NamesListKindRequired,
                "`listKind` is missing and has no default without `kind`",
                "add `kind`",
            ),
        ];
        for (name, value, code, problem, remedy) in rules {
            if !value.is_empty() {
                continue;
            }
            let field = format!("spec.names.{name}");
            let (error, detail) = (ErrorType::Required, String::new());
            let required = Problem { code, error, field: &field, detail, advice: "" };
            findings.add(&self.node.child(name), required);
            findings.reword(Message::new(problem).advise(remedy));
            if matches!(name, "singular" | "listKind") {
                findings
                    .follows_from(self.node.child("kind").range(), "kube-apiserver derives it from the kind");
            }
        }
    }

    /// Checks the form of the names.
    pub(super) fn check(&self, findings: &mut Findings<'_>) {
        self.label("plural", Code::NamesPlural, &self.plural, None, findings);
        self.label("singular", Code::NamesSingular, &self.singular, self.singular_from, findings);
        self.kind("kind", Code::NamesKind, &self.kind, None, findings);
        self.kind("listKind", Code::NamesListKind, &self.list_kind, self.list_kind_from, findings);
        self.labels("shortNames", Code::NamesShortName, findings);
        let same_kinds = || Problem {
            code: Code::NamesKindListKindEqual,
            error: ErrorType::Invalid,
            field: "spec.names.listKind",
            detail: "kind and listKind may not be the same".to_owned(),
            advice: "",
        };
        let equal = || {
            Message::new("`listKind` equals `kind`")
                .advise(format!("remove it to use the default, `{}List`", self.kind))
        };
        if !self.kind.is_empty() && self.kind == self.list_kind {
            findings.add(&self.node.child("listKind"), same_kinds());
            findings.reword(equal());
            findings.print_value(|| go::quoted(&self.list_kind));
        } else if self.has_kind_for_list_kind() {
            // It becomes an error once the kind is set.
            findings.hidden(|findings| {
                findings.add(&self.node.child("listKind"), same_kinds());
                findings.reword(
                    Message::new("`listKind` equals the intended kind")
                        .advise("remove it to use the kind followed by `List`"),
                );
            });
        }
        self.labels("categories", Code::NamesCategory, findings);
    }

    /// Whether `listKind` has the intended name of `kind`, which is missing or invalid.
    fn has_kind_for_list_kind(&self) -> bool {
        let Self { singular, kind, list_kind, .. } = self;
        if list_kind.is_empty() || list_kind.ends_with("List") {
            return false;
        }
        let is_named_so = *singular == go_lower(list_kind);
        match kind.is_empty() {
            true => singular.is_empty() || is_named_so,
            false => {
                !dns_1035_label(&go_lower(kind)).is_empty()
                    && (is_named_so || kind.starts_with(list_kind.as_str()))
            }
        }
    }

    fn label(
        &self,
        name: &'static str,
        code: Code,
        value: &str,
        from: Option<TextRange>,
        findings: &mut Findings<'_>,
    ) {
        let messages = dns_1035_label(value);
        if !value.is_empty() && !messages.is_empty() {
            self.add((name, value), code, messages.join(","), from, findings);
        }
    }

    fn kind(
        &self,
        name: &'static str,
        code: Code,
        value: &str,
        from: Option<TextRange>,
        findings: &mut Findings<'_>,
    ) {
        let messages = dns_1035_label(&go_lower(value));
        if !value.is_empty() && !messages.is_empty() {
            let joined = messages.join(",");
            let detail = format!("may have mixed case, but should otherwise match: {joined}");
            self.add((name, value), code, detail, from, findings);
        }
    }

    fn add(
        &self,
        (name, value): (&'static str, &str),
        code: Code,
        detail: String,
        from: Option<TextRange>,
        findings: &mut Findings<'_>,
    ) {
        let node = self.node.child(name);
        let field = format!("spec.names.{name}");
        let problem = Problem { code, error: ErrorType::Invalid, field: &field, detail, advice: "" };
        findings.add_at(from.unwrap_or(node.range()), &node, problem);
        findings.print_value(|| go::quoted(value));
        if let Some(kind) = from {
            let problem =
                format!("`{}`, the default of `{name}`, is not a DNS label", text::start(value, 40));
            let remedy = "use only letters and digits in `kind`, with a letter first";
            findings.reword(Message::new(problem).advise(remedy));
            findings.follows_from(
                kind,
                &format!("`{name}` is not set; kube-apiserver derives it from this kind"),
            );
        }
    }

    fn labels(&self, name: &'static str, code: Code, findings: &mut Findings<'_>) {
        for (index, item) in self.node.child(name).items().enumerate() {
            let messages = dns_1035_label(&item.text());
            if !messages.is_empty() {
                let field = format!("spec.names.{name}[{index}]");
                let detail = messages.join(",");
                let problem = Problem { code, error: ErrorType::Invalid, field: &field, detail, advice: "" };
                findings.add(&item, problem);
            }
        }
    }
}

/// Go's `strings.ToLower`: it converts each character separately, unlike Rust's method with its final sigma
/// and `i̇`.
fn go_lower(text: &str) -> String {
    text.chars().map(|character| character.to_lowercase().next().unwrap_or(character)).collect()
}
