//! Messages for names that the API server rejects: the problem and the remedy.

use super::{dns_1035_label, is_label, is_name_part};
use crate::message::{Message, shortened};

/// The maximum number of displayed characters of a name.
const SHOWN: usize = 40;

/// The start of the server's message for each kind of name. The longest come first.
const FORMS: [(&str, NameFormat); 9] = [
    ("prefix part a lowercase RFC 1123 subdomain must", NameFormat::Prefix),
    ("prefix part must be non-empty", NameFormat::Prefix),
    ("name part must", NameFormat::NamePart),
    ("a valid label key must", NameFormat::Key),
    ("a qualified name must", NameFormat::Key),
    ("a valid label must", NameFormat::NamePart),
    ("a DNS-1035 label must", NameFormat::Label),
    ("a lowercase RFC 1123 label must", NameFormat::LabelOrDigit),
    ("a lowercase RFC 1123 subdomain must", NameFormat::Subdomain),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum NameFormat {
    /// The domain before the `/` of a key.
    Prefix,
    /// The name after the `/`, or the value of a label.
    NamePart,
    /// A key with at most one `/`.
    Key,
    /// A DNS label that starts with a letter.
    Label,
    /// A DNS label in any letter case, for kinds.
    Kind,
    /// A DNS label that may start with a digit.
    LabelOrDigit,
    /// DNS labels with dots between them.
    Subdomain,
}

const IMMUTABLE: &str = "field is immutable";
/// The start of the server's message for a name that is too long.
pub(crate) const TOO_LONG: &str = "must be no more than ";

/// The subject of the server's `field` and `message`, such as `the label key`; empty if no field is named.
#[must_use]
pub(crate) fn subject_of(field: &str, message: &str) -> String {
    let own = field.rsplit('.').next().unwrap_or(field);
    let own = own.split('[').next().unwrap_or(own);
    let is_of_key = ["name part ", "prefix part ", "a valid label key ", "a qualified name "]
        .iter()
        .any(|begin| message.starts_with(begin));
    match own {
        "" => String::new(),
        "labels" if is_of_key => "the label key".to_owned(),
        "labels" => "the label value".to_owned(),
        "annotations" => "the annotation key".to_owned(),
        "finalizers" => "the finalizer".to_owned(),
        "shortNames" => "the short name".to_owned(),
        "categories" => "the category".to_owned(),
        "conversionReviewVersions" => "the version".to_owned(),
        "name" if field.contains("versions[") => "the version name".to_owned(),
        _ => format!("`{own}`"),
    }
}

/// Our message for the server's `message` about `thing` with the quoted `value`, or about other metadata;
/// `None` for other messages. `thing` may be empty.
#[must_use]
pub(crate) fn in_words(thing: &str, value: &str, message: &str) -> Option<Message> {
    // Names of kinds are compared in lowercase.
    const MIXED: &str = "may have mixed case, but should otherwise match: ";
    let (message, is_mixed) = message.strip_prefix(MIXED).map_or((message, false), |rest| (rest, true));
    if let Some(message) = of_metadata(thing, value, message) {
        return Some(message);
    }
    let name = Name { subject: thing, value };
    let (part, rest) = match (message.strip_prefix("name part "), message.strip_prefix("prefix part ")) {
        (Some(rest), _) => ("name", rest),
        (_, Some(rest)) => ("prefix", rest),
        _ => ("", message),
    };
    if let Some(most) = rest.strip_prefix(TOO_LONG) {
        // The server's message may list more problems.
        let most = most.split(',').next().unwrap_or_default();
        let subject = match part {
            "" => name.subject(),
            part if name.has_slash() => format!("the {part} of {}", name.subject()),
            _ => name.subject(),
        };
        return Some(Message::new(format!("{subject} is too long")).advise(format!("use at most {most}")));
    }
    if let Some(forbidden) = message.strip_prefix("may not contain ") {
        let forbidden = forbidden.trim_matches('\'');
        return Some(
            name.new_message(&format!("contains `{forbidden}`"), &format!("remove the `{forbidden}`")),
        );
    }
    if message == "must not contain dots" {
        return Some(name.new_message("contains a dot", "remove it"));
    }
    if message.starts_with("may not be '") {
        return Some(name.new_message("is not a valid name", "choose another name"));
    }
    let (_, form) = FORMS.iter().find(|(begin, _)| message.starts_with(begin))?;
    let form = if is_mixed && *form == NameFormat::Label { NameFormat::Kind } else { *form };
    Some(name.misformed(form))
}

/// Our messages for other errors in metadata.
fn of_metadata(thing: &str, value: &str, message: &str) -> Option<Message> {
    let subject = if thing.is_empty() { "the field" } else { thing };
    let of = |problem: String, remedy: &str| Some(Message::new(problem).advise(remedy));
    if message == IMMUTABLE {
        return of(format!("{subject} is immutable"), "restore the stored value");
    }
    if message == "/v1, Kind=Event is disallowed from being an owner" {
        return of("an `Event` of `v1` cannot be an owner".to_owned(), "name another owner");
    }
    if let Some((_, owners)) = message.split_once(" in references for ") {
        let owners = owners.split_once(" and ").map(|(one, other)| format!("`{one}` and `{other}`"));
        return of(
            format!("the owner references {} both have `controller: true`", owners?),
            "keep it in one of them",
        );
    }
    if message.starts_with("finalizer orphan and foregroundDeletion") {
        return of(
            "the finalizers `orphan` and `foregroundDeletion` exclude each other".to_owned(),
            "remove one of them",
        );
    }
    if let Some(added) = message.strip_prefix(
        "no new finalizers can be added if the object is being deleted, found new finalizers []string{",
    ) {
        let added = added.trim_end_matches('}');
        let (what, them) =
            if added.contains("\", \"") { ("finalizers", "them") } else { ("finalizer", "it") };
        return of(
            format!("an object that is being deleted cannot get the new {what} {added}"),
            &format!("remove {them}"),
        );
    }
    if message == "must be `FieldsV1`" {
        return of(format!("unsupported {subject} {value}"), "write `FieldsV1`");
    }
    if message == "must be <group>/<version> or <version>" || message == "version must not be empty" {
        let name = Name { subject: thing, value };
        return Some(match name.unescaped() {
            Some("") | None => name.new_message("names no version", API_VERSION),
            Some(_) => name.new_message("is not an API version", API_VERSION),
        });
    }
    if message == "must not be empty" || message.ends_with(" must not be empty") && !message.contains(' ') {
        return of(format!("{subject} is missing or empty"), "add a value");
    }
    None
}

/// The remedy for an invalid API version.
pub(crate) const API_VERSION: &str = "write `<group>/<version>`, such as `apps/v1`, or `<version>`";

/// A name that the server rejects.
struct Name<'n> {
    subject: &'n str,
    /// The name in the server's quotes, or a field in backticks.
    value: &'n str,
}

impl Name<'_> {
    /// The name itself, empty if the field is not set; `None` if its quoted form has escapes.
    fn unescaped(&self) -> Option<&str> {
        if self.value.starts_with('`') {
            return Some("");
        }
        let plain = self.value.strip_prefix('"')?.strip_suffix('"')?;
        (!plain.contains('\\')).then_some(plain)
    }

    fn has_slash(&self) -> bool {
        self.value.contains('/')
    }

    /// The thing and the name, which may be truncated.
    fn subject(&self) -> String {
        let value = shortened(self.value, SHOWN);
        match (self.subject, &*value) {
            ("", value) => value.to_owned(),
            // The field is not set.
            (thing, value) if thing == value || value.is_empty() => thing.to_owned(),
            (thing, value) => format!("{thing} {value}"),
        }
    }

    fn new_message(&self, what: &str, remedy: &str) -> Message {
        Message::new(format!("{} {what}", self.subject())).advise(remedy)
    }

    fn misformed(&self, form: NameFormat) -> Message {
        let Some(plain) = self.unescaped() else {
            return self.new_message(form.is_not(), &format!("use {}", form.characters()));
        };
        if plain.is_empty() {
            let subject = if self.subject.is_empty() { "the name" } else { self.subject };
            let example = if self.subject == "the finalizer" { " such as `example.com/cleanup`" } else { "" };
            return Message::new(format!("{subject} is empty"))
                .advise(format!("write a name{example}, or remove it"));
        }
        match (form, plain.split_once('/')) {
            (NameFormat::Key, _) => self
                .new_message("has more than one `/`", "write one `/` between a domain and a name, or none"),
            (NameFormat::Prefix, Some(("", _))) => {
                self.new_message("has an empty prefix", "remove the `/`, or write a domain before it")
            }
            (NameFormat::NamePart, Some((prefix, ""))) => {
                let example = format!("write one, such as `{prefix}/name`");
                self.new_message("has no name after the `/`", &example)
            }
            (NameFormat::Prefix, Some((prefix, _))) => {
                let (what, remedy) = fault(prefix, NameFormat::Subdomain);
                let subject = if self.subject.is_empty() { "the key" } else { self.subject };
                Message::new(format!("the prefix \"{prefix}\" of {subject} {what}")).advise(remedy)
            }
            (NameFormat::NamePart, Some((_, name))) => {
                let (what, remedy) = fault(name, form);
                self.new_message(&what, &remedy)
            }
            _ => {
                let (what, remedy) = fault(plain, form);
                self.new_message(&what, &remedy)
            }
        }
    }
}

impl NameFormat {
    fn is_not(self) -> &'static str {
        match self {
            Self::NamePart | Self::Key => "is not valid",
            Self::Prefix | Self::Subdomain => "is not a DNS subdomain",
            Self::Label | Self::LabelOrDigit => "is not a DNS label",
            Self::Kind => "is not a valid name of a kind",
        }
    }

    fn characters(self) -> &'static str {
        match self {
            Self::NamePart | Self::Key => "letters, digits, `-`, `_` and `.`",
            Self::Prefix | Self::Subdomain => "lowercase letters, digits, `-` and `.`",
            Self::Label | Self::LabelOrDigit => "lowercase letters, digits and `-`",
            Self::Kind => "CamelCase with letters and digits",
        }
    }

    fn allows(self, character: char) -> bool {
        match character {
            'a'..='z' | '0'..='9' | '-' => true,
            'A'..='Z' => matches!(self, Self::NamePart | Self::Key | Self::Kind),
            '_' => matches!(self, Self::NamePart | Self::Key),
            '.' => matches!(self, Self::NamePart | Self::Key | Self::Prefix | Self::Subdomain),
            _ => false,
        }
    }

    fn fits(self, name: &str) -> bool {
        match self {
            Self::NamePart | Self::Key => is_name_part(name),
            Self::Prefix | Self::Subdomain => name.split('.').all(is_label),
            Self::Label => dns_1035_label(name).is_empty(),
            Self::Kind => dns_1035_label(&name.to_lowercase()).is_empty(),
            Self::LabelOrDigit => is_label(name),
        }
    }
}

/// The problem of a non-empty name, and the remedy.
fn fault(name: &str, form: NameFormat) -> (String, String) {
    let lower = name.to_lowercase();
    if lower != name && form.fits(&lower) {
        return ("has capital letters".to_owned(), format!("write `{lower}`"));
    }
    if matches!(form, NameFormat::Subdomain | NameFormat::Prefix) && name.split('.').any(str::is_empty) {
        let what = match (name.starts_with('.'), name.ends_with('.')) {
            (true, _) => "starts with a dot",
            (_, true) => "ends with a dot",
            _ => return ("has an empty part between two dots".to_owned(), "remove a dot".to_owned()),
        };
        return (what.to_owned(), "remove the dot".to_owned());
    }
    let odd = name.chars().find(|character| !form.allows(*character));
    let odd = odd.and_then(|character| match character {
        ' ' => Some("a space".to_owned()),
        'A'..='Z' => Some("capital letters".to_owned()),
        '`' => None,
        _ if character.is_ascii_graphic() || character.is_alphanumeric() => Some(format!("`{character}`")),
        _ => None,
    });
    if let Some(odd) = odd {
        return (format!("contains {odd}"), format!("use {}", form.characters()));
    }
    let needs_letter = matches!(form, NameFormat::Label | NameFormat::Kind);
    let first = name.chars().next().filter(|first| {
        let is_fine = first.is_ascii_alphabetic() || first.is_ascii_digit() && !needs_letter;
        !is_fine && form.allows(*first)
    });
    if let Some(first) = first {
        let start = if needs_letter { "a letter" } else { "a letter or a digit" };
        return (format!("starts with `{first}`"), format!("start it with {start}"));
    }
    let last = name.chars().next_back().filter(|last| !last.is_ascii_alphanumeric() && form.allows(*last));
    if let Some(last) = last {
        return (format!("ends with `{last}`"), "end it with a letter or a digit".to_owned());
    }
    if form == NameFormat::Subdomain {
        return (
            "is not a DNS subdomain".to_owned(),
            "start and end each part between dots with a letter or a digit".to_owned(),
        );
    }
    (form.is_not().to_owned(), format!("use {}", form.characters()))
}

/// The remedy for the missing `field` of an owner reference.
pub(crate) fn add_to_owner(field: &str) -> &'static str {
    match field {
        "apiVersion" => "add the API version of the owner, such as `apps/v1`",
        "kind" => "add the kind of the owner, such as `Deployment`",
        "name" => "add the name of the owner",
        _ => "copy `metadata.uid` of the owner from the cluster",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use api::KubernetesVersion;

    use super::*;
    use crate::names::{dns_1035_label, dns_1123_subdomain, label_key, label_value, path_segment};

    const V35: KubernetesVersion = KubernetesVersion { minor: 35 };

    fn message_of(field: &str, value: &str, messages: &[String]) -> String {
        let value = format!("{value:?}");
        let message = messages.first().unwrap();
        in_words(&subject_of(field, message), &value, message).unwrap().to_string()
    }

    #[test]
    fn a_message_names_the_value_and_the_problem() {
        let label = |value: &str| message_of("spec.names.plural", value, &dns_1035_label(value));
        assert_eq!(label("Foos"), "`plural` \"Foos\" has capital letters; write `foos`");
        assert_eq!(label("a b"), "`plural` \"a b\" contains a space; use lowercase letters, digits and `-`");
        assert_eq!(label("3a"), "`plural` \"3a\" starts with `3`; start it with a letter");
        assert_eq!(label("a-"), "`plural` \"a-\" ends with `-`; end it with a letter or a digit");
        let short = message_of("spec.names.shortNames[0]", "", &dns_1035_label(""));
        assert_eq!(short, "the short name is empty; write a name, or remove it");
        let unset =
            in_words("the version name", "`name`", &dns_1035_label("").remove(0)).unwrap().to_string();
        assert_eq!(unset, "the version name is empty; write a name, or remove it");
        let group = |value: &str| message_of("spec.group", value, &dns_1123_subdomain(value));
        assert_eq!(group("a..b"), "`group` \"a..b\" has an empty part between two dots; remove a dot");
        assert_eq!(group("a.b."), "`group` \"a.b.\" ends with a dot; remove the dot");
        assert_eq!(
            group("a.-b"),
            "`group` \"a.-b\" is not a DNS subdomain; start and end each part between dots with a letter or a digit"
        );
    }

    #[test]
    fn keys_are_named_as_labels_annotations_or_finalizers() {
        let key = |field: &str, value: &str| message_of(field, value, &label_key(value, V35));
        assert_eq!(
            key("metadata.labels", "/a"),
            "the label key \"/a\" has an empty prefix; remove the `/`, or write a domain before it"
        );
        assert_eq!(
            key("metadata.labels", "A.b/a"),
            "the prefix \"A.b\" of the label key has capital letters; write `a.b`"
        );
        assert_eq!(
            key("metadata.annotations", "a/b/c"),
            "the annotation key \"a/b/c\" has more than one `/`; write one `/` between a domain and a name, or none"
        );
        assert_eq!(
            key("metadata.labels", "a.b/"),
            "the label key \"a.b/\" has no name after the `/`; write one, such as `a.b/name`"
        );
        assert_eq!(
            key("metadata.finalizers", ""),
            "the finalizer is empty; write a name such as `example.com/cleanup`, or remove it"
        );
        let long = key("metadata.labels", &format!("a.b/{}", "c".repeat(64)));
        assert!(long.starts_with("the name of the label key \"a.b/ccc"), "{long}");
        assert!(long.ends_with("…\" is too long; use at most 63 bytes"), "{long}");
        let value = message_of("metadata.labels", "-", &label_value("-", V35));
        assert_eq!(value, "the label value \"-\" starts with `-`; start it with a letter or a digit");
        let name = message_of("metadata.name", "a%", &path_segment("a%", false));
        assert_eq!(name, "`name` \"a%\" contains `%`; remove the `%`");
        assert_eq!(in_words("", "a", "something else"), None);
    }

    #[test]
    fn other_metadata_is_in_plain_words() {
        for (field, value, message, expected) in [
            (
                "metadata.finalizers",
                "",
                "no new finalizers can be added if the object is being deleted, found new finalizers []string{\"a/b\"}",
                "an object that is being deleted cannot get the new finalizer \"a/b\"; remove it",
            ),
            (
                "metadata.ownerReferences",
                "[]",
                "Only one reference can have Controller set to true. Found \"true\" in references for A/a and B/b",
                "the owner references `A/a` and `B/b` both have `controller: true`; keep it in one of them",
            ),
            ("metadata.uid", "\"b\"", "field is immutable", "`uid` is immutable; restore the stored value"),
            (
                "metadata.ownerReferences[0].apiVersion",
                "\"a/b/c\"",
                "must be <group>/<version> or <version>",
                "`apiVersion` \"a/b/c\" is not an API version; write `<group>/<version>`, such as `apps/v1`, or `<version>`",
            ),
        ] {
            let message = in_words(&subject_of(field, message), value, message).unwrap().to_string();
            assert_eq!(message, expected);
        }
    }
}
