//! Slips in the syntax of Go: each has one finding at the slip, although Go's parser stops behind it.

use go::generate::Outcome;
use go::version::Version;

use super::answers::{outcome_of, repaired};

const RIGHT: &str = r#"// +groupName=a.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Part is a part.
type Part struct {
	// Name is unique.
	// +kubebuilder:validation:MaxLength=9
	Name string `json:"name"`

	// Sizes are optional.
	// +optional
	Sizes []int32 `json:"sizes,omitempty"`

	// Labels are free.
	Labels map[string]string `json:"labels,omitempty"`
}

// Mode is a mode.
type Mode string

const (
	On  Mode = "On"
	Off Mode = "Off"
)

// +kubebuilder:subresource:status

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Part Part `json:"part"`
}

func (t *Thing) Size() int {
	if t == nil {
		return 0
	}
	return 1
}
"#;

/// A piece of the right text, the wrong text with `«»` around the token of the finding, and the message.
const CASES: &[(&str, &str, &str)] = &[
    ("type Part struct {", "type Part «struct»", "`{` is missing after `struct`; add it"),
    ("type Part struct {", "type Part struct «(»", "`(` is not allowed after `struct`; write `{`"),
    ("type Part struct {", "type Part «strcut» {", "`strcut` is not a keyword of Go; write `struct`"),
    ("type Part struct {", "type Part «{»", "`struct` is missing before `{`; add it"),
    ("type Part struct {", "type «struct» {", "the type has no name; write one before `struct`"),
    ("type Part struct {", "«tpye» Part struct {", "`tpye` is not a keyword of Go; write `type`"),
    ("type Part struct {", "«Part» struct {", "`type` is missing before `Part`; add it"),
    ("type Part struct {", "type Part struct {«{»", "`{` cannot begin a field; remove it"),
    (
        "`json:\"labels,omitempty\"`\n}",
        "«`json:\"labels,omitempty\"`»",
        "`{` of line 9 is not closed before `type`; add `}`",
    ),
    ("`json:\"part\"`\n}", "«`json:\"part\"`»", "`{` of line 33 is not closed before `func`; add `}`"),
    ("\n\treturn 1\n}", "\n\treturn 1\n}\n«}»", "`}` has no opening bracket; remove it"),
    ("`json:\"name\"`", "«`json:\"name\"»", "the tag has no backtick at its end; add one"),
    (
        "`json:\"name\"`",
        "«json:\"name\"`»",
        "a tag is written in backticks; put json:\"name\" between two of them",
    ),
    ("[]int32", "«[int32»", "`[` is not closed; add `]`"),
    ("[]int32", "«[]»", "a type is missing after `[]`; add it"),
    ("map[string]string", "map«[stringstring»", "`[` is not closed; add `]`"),
    ("map[string]string", "«map[string]»", "a type is missing after `map[string]`; add it"),
    (
        "map[string]string",
        "«map»",
        "`map` has no types of keys and values; write them, as in `map[string]string`",
    ),
    ("Name string", "Name«:» string", "`:` is not allowed between a field and its type; remove it"),
    ("Name string", "Name«-»Of string", "`-` is not allowed in a name; remove it"),
    (
        "Name string",
        "Name of «string»",
        "`string` follows the type `of`; write one name and one type for each field",
    ),
    ("Name string", "«type» string", "`type` is a keyword of Go and cannot name a field; write `Type`"),
    ("Name string", "«1Name» string", "the name `1Name` begins with a digit; begin it with a letter"),
    ("// Name is", "«/» Name is", "a comment begins with `//`, not with `/`; write `//`"),
    ("// Name is", "«#» Name is", "a comment begins with `//`, not with `#`; write `//`"),
    (
        "// Name is unique.",
        "«Name is unique.»",
        "this line is not a field; write `//` before it if it is a comment",
    ),
    ("// +optional", "«+»optional", "a marker is written in a comment; write `//` before it"),
    ("// Mode is a mode.", "«/*» Mode is a mode.", "the comment has no end; add `*/` after it"),
    (
        "// Mode is a mode.",
        "«<<<<<<<» HEAD\n=======\n>>>>>>> main",
        "the file has an unresolved merge conflict; keep one version, and remove the marks",
    ),
    ("pkg/apis/meta/v1\"\n)", "pkg/apis/meta/v1\"", "`(` of line 4 is not closed before `type`; add `)`"),
    ("apis/meta/v1\"\n", "apis/meta/v1\n", "the text has no `\"` at its end; add one"),
    (
        "\"k8s.io/apimachinery/pkg/apis/meta/v1\"",
        "«k8s.io/apimachinery/pkg/apis/meta/v1»",
        "the path of an import is written in quotes; put it between two `\"`",
    ),
    ("Mode = \"Off\"\n)", "Mode = «\"Off\"»", "`(` of line 25 is not closed before `type`; add `)`"),
    ("On  Mode = \"On\"", "On  Mode «\"On\"»", "`=` is missing before `\"On\"`; add it"),
    ("\"On\"\n", "«\"On»\n", "the text has no `\"` at its end; add one"),
    ("const (", "«cosnt» (", "`cosnt` is not a keyword of Go; write `const`"),
    ("func (t", "«fucn» (t", "`fucn` is not a keyword of Go; write `func`"),
    ("Size() int {", "Size() «int»", "the function has no body; add `{`"),
    ("package v1", "«packge» v1", "`packge` is not a keyword of Go; write `package`"),
];

fn explained(outcome: &Outcome) -> Option<go::Mistake> {
    let file = outcome.sources().iter().find(|source| source.path.ends_with("types.go"))?;
    Some(outcome.syntax_slip(outcome.file_at(&file.path)?)?.mistake)
}

#[test]
fn the_first_syntax_error_is_reported_at_its_slip() {
    assert!(explained(&outcome_of(RIGHT, Version::NEWEST)).is_none());
    let mut wrong = Vec::new();
    for (right, marked, expected) in CASES {
        let whole = RIGHT.replacen(right, marked, 1);
        let text = whole.replace(['«', '»'], "");
        let Some(mistake) = explained(&outcome_of(&text, Version::NEWEST)) else {
            wrong.push(format!("{marked}: no error"));
            continue;
        };
        let message = format!("{}; {}", mistake.problem, mistake.remedy.as_deref().unwrap_or_default());
        let mut shown = text.clone();
        shown.insert(mistake.place.span.end as usize, '»');
        shown.insert(mistake.place.span.start as usize, '«');
        if message != *expected || marked.contains('«') && shown != whole {
            let line = shown.lines().find(|line| line.contains('«'));
            wrong.push(format!("{marked}: {message} in {line:?}"));
        }
        assert!(message.chars().count() <= 160, "{message}");
        if let Some(repair) = mistake.repairs.first() {
            let fixed = repaired(&text, repair);
            if let Some(left) = explained(&outcome_of(&fixed, Version::NEWEST)) {
                wrong.push(format!("{marked}: repaired to {fixed}, where {left:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every prefix of a text, and every text without one of its bytes.
#[test]
fn no_broken_text_panics() {
    for at in (0..RIGHT.len()).step_by(3) {
        for text in [RIGHT[..at].to_owned(), format!("{}{}", &RIGHT[..at], &RIGHT[at + 1..])] {
            explained(&outcome_of(&text, Version::NEWEST));
        }
    }
}
