use std::fmt;

use text::TextRange;

/// A syntax error, at a position within its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// The kind of error.
    pub kind: SyntaxErrorKind,
    /// The byte range; relative to the node that contains the error, absolute if a [`crate::Tree`] returns it.
    pub range: TextRange,
}

/// Which parsers reject a text because of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RejectedBy {
    /// YAML 1.2 and the API server's decoder, go-yaml v2.
    Both,
    /// Only YAML 1.2: the API server continues reading.
    OnlyYaml12,
    /// Only the API server: other YAML tools read the text.
    OnlyServer,
    /// Nobody; but parsers read the text differently.
    Nobody,
}

impl RejectedBy {
    /// Whether kube-apiserver rejects the text.
    #[must_use]
    pub fn server_rejects(self) -> bool {
        matches!(self, Self::Both | Self::OnlyServer)
    }
}

/// Declares the kinds of syntax errors: who rejects them, go-yaml's message, and the problem and remedy for a
/// person.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident: $verdict:ident, $server:literal, $problem:literal $(=> $remedy:literal)?;)+) => {
        /// The kinds of syntax errors. The texts are for a person who is typing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SyntaxErrorKind {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl SyntaxErrorKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// Who rejects a text with this error.
            #[must_use]
            pub fn verdict(self) -> RejectedBy {
                match self {
                    $(Self::$kind => RejectedBy::$verdict,)+
                }
            }

            /// go-yaml's usual message, without the line; empty if go-yaml accepts the text.
            #[must_use]
            pub fn server_text(self) -> Option<&'static str> {
                let text = match self {
                    $(Self::$kind => $server,)+
                };
                (!text.is_empty()).then_some(text)
            }

            /// The problem, for a person.
            #[must_use]
            pub fn problem(self) -> &'static str {
                match self {
                    $(Self::$kind => $problem,)+
                }
            }

            /// The remedy, as an imperative; `None` if the problem implies it.
            #[must_use]
            pub fn remedy(self) -> Option<&'static str> {
                let remedies: &[&str] = match self {
                    $(Self::$kind => &[$($remedy)?],)+
                };
                remedies.first().copied()
            }
        }

        impl fmt::Display for SyntaxErrorKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.problem())?;
                self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
            }
        }
    };
}

kinds! {
    /// A tab where the indentation of an entry is expected.
    TabIndentation: Both, "found character that cannot start any token",
        "this line is indented with a tab" => "use spaces";
    /// A tab in the indentation of a value that starts a line.
    TabBeforeValue: OnlyServer, "found character that cannot start any token",
        "this line is indented with a tab" => "use spaces";
    /// A tab in a blank line or before a comment.
    BlankTab: OnlyServer, "found character that cannot start any token",
        "a blank line or a comment must not begin with a tab" => "use spaces";
    /// A tab in a blank line below text without quotes.
    BlankTabBelowText: OnlyServer, "found a tab character that violates indentation",
        "a blank line must not begin with a tab" => "use spaces";
    /// A tab after `-`, `?` or `:`, with a block after it.
    TabSeparation: Both, "found character that cannot start any token",
        "a tab is not allowed between this and the block after it" => "use a space";
    /// A tab after `-`, `?` or an explicit `:`.
    TabAfterIndicator: OnlyServer, "found character that cannot start any token",
        "a tab cannot follow this" => "use a space";
    /// A tab before the second or a later line of text without quotes.
    ContinuationTab: Both, "found a tab character that violates indentation",
        "this line is indented with a tab" => "use spaces";
    /// A tab in the indentation of a `|` or `>` block.
    BlockTab: Both, "found a tab character where an indentation space is expected",
        "this line of a text block is indented with a tab" => "use spaces";
    /// A tab at the start of the first line of a `|` or `>` block.
    BlockLeadingTab: OnlyServer, "found a tab character where an indentation space is expected",
        "the first line of a text block must not start with a tab" => "add an indentation digit after `|` or `>`";
    /// A line at a column where no block is open.
    Indentation: Both, "did not find expected key",
        "the indentation of this line matches no open block" => "indent it like the lines it belongs to";
    /// A line that should be a key.
    MissingColon: Both, "could not find expected ':'",
        "a `:` is missing after this key" => "add `:`";
    /// The same in the first line of a document, followed by a comment or a line with a colon.
    MissingTopColon: OnlyYaml12, "",
        "a `:` is missing after this key, so kube-apiserver parses it as the whole document" => "add `:`";
    /// A second `: ` in a plain value.
    NestedColon: Both, "mapping values are not allowed in this context",
        "a second `: ` in this value" => "quote the value or move it to a separate line";
    /// A `- ` on a line among the keys of a mapping.
    DashAmongKeys: Both, "block sequence entries are not allowed in this context",
        "a `- ` among keys, outside of a list" => "indent it like the items of its list, or add the key of the list";
    /// A `- ` after a key.
    MisplacedDash: Both, "block sequence entries are not allowed in this context",
        "a `- ` is not allowed here" => "put the list on the next line";
    /// A `? ` where no key is allowed.
    MisplacedQuestion: Both, "mapping keys are not allowed in this context",
        "text cannot start with `? `" => "quote it";
    /// A line without `-` among the items of a sequence.
    MissingDash: Both, "did not find expected '-' indicator",
        "a `- ` is missing before this line, which is among list items" => "add `- `";
    /// An entry or item after `---` on the same line.
    BlockOnMarkerLine: Both, "mapping values are not allowed in this context",
        "keys and items cannot follow `---` on its line" => "put them on the next line";
    /// A quote without a closing quote.
    UnclosedQuote: Both, "found unexpected end of stream",
        "the quote opened here is never closed" => "close it at the end of its text";
    /// A `[` without a closing bracket.
    UnclosedBracket: Both, "did not find expected ',' or ']'",
        "the bracket opened here is never closed" => "add a `]` after its last item";
    /// A `{` without a closing brace.
    UnclosedBrace: Both, "did not find expected ',' or '}'",
        "the brace opened here is never closed" => "add a `}` after its last entry";
    /// Two items in brackets without a comma between them.
    MissingComma: Both, "did not find expected ',' or ']'",
        "a `,` is missing before this" => "add `,`";
    /// Two entries in braces without a comma between them.
    MissingBraceComma: Both, "did not find expected ',' or '}'",
        "a `,` is missing before this" => "add `,`";
    /// A misplaced comma, bracket or brace.
    UnexpectedIndicator: Both, "did not find expected node content",
        "this closes or separates nothing" => "remove it or quote the text";
    /// A character that cannot start a token.
    UnexpectedCharacter: Both, "found character that cannot start any token",
        "no value can start with this character" => "quote the value";
    /// A control character.
    ControlCharacter: Both, "control characters are not allowed",
        "control characters are not allowed" => "use an escape in double quotes";
    /// NEL, LS or PS outside quotes.
    UnicodeBreak: OnlyServer, "could not find expected ':'",
        "kube-apiserver parses this invisible character as a line break" => "remove it or escape it in double quotes";
    /// Content after the end of a value.
    ExtraContent: Both, "did not find expected key",
        "the value has already ended" => "remove this text or quote it together with the value";
    /// Content after the end of a document's value, which go-yaml never reads.
    Dropped: OnlyYaml12, "",
        "the document has already ended, and kube-apiserver ignores this text" => "indent it like the lines it belongs to";
    /// A `#` with something other than white space before it.
    CommentSpace: OnlyYaml12, "",
        "YAML requires a space before the `#` of a comment, although kube-apiserver does not" => "add a space";
    /// A line within brackets or quotes that is not indented more than the surrounding block.
    FlowIndentation: OnlyYaml12, "",
        "this line is indented too little for YAML, although kube-apiserver accepts it" => "indent it further";
    /// A lone `-` within brackets.
    FlowDash: OnlyYaml12, "",
        "YAML does not allow a lone `-` in brackets, although kube-apiserver parses it as text" => "quote it";
    /// A `- ` within brackets.
    FlowItem: Both, "block sequence entries are not allowed in this context",
        "a `- ` is not allowed in brackets" => "separate items with commas";
    /// Text within brackets that begins with a colon.
    FlowColon: OnlyServer, "did not find expected node content",
        "text in brackets cannot start with `:`" => "quote it";
    /// A colon without a space between a key and a bracket, within brackets.
    FlowColonSpace: OnlyServer, "did not find expected ',' or '}'",
        "a space is missing after this `:`" => "add it";
    /// A colon without a space after a key without a value, in braces.
    FlowColonTail: Nobody, "",
        "kube-apiserver parses this `:` as part of the text" => "add a space after it";
    /// A `?` in text within brackets.
    FlowQuestion: OnlyServer, "did not find expected ',' or ']'",
        "text in brackets cannot contain a `?`" => "quote it";
    /// A `?` at the start of text within brackets.
    FlowQuestionKey: Nobody, "",
        "kube-apiserver parses this `?` as a key indicator" => "quote the text";
    /// A `: value` without a key.
    EmptyKey: OnlyServer, "did not find expected key",
        "a key is missing before this `:`" => "add it or remove the `:`";
    /// A `: value` without a key, within brackets.
    EmptyFlowKey: OnlyServer, "did not find expected node content",
        "a key is missing before this `:`" => "add it or remove the `:`";
    /// A key in braces on another line than its colon.
    MultilineFlowKey: OnlyServer, "did not find expected ',' or '}'",
        "a key and its `:` must be on one line" => "join the lines";
    /// A key in brackets on another line than its colon.
    MultilineKey: Both, "did not find expected ',' or ']'",
        "a key and its `:` must be on one line" => "join the lines";
    /// A key that spans lines, followed by its colon.
    MultilineBlockKey: Both, "mapping values are not allowed in this context",
        "a key and its `:` must be on one line" => "join the lines";
    /// A key of more than 1,024 characters.
    LongKey: Both, "mapping values are not allowed in this context",
        "a key cannot have more than 1024 characters without `? ` before it" => "shorten it";
    /// A `|` or `>` with an unreadable header.
    BlockHeader: Both, "did not find expected comment or line break",
        "only an indentation digit, `+`, `-` and a comment may follow `|` or `>`" => "move the text to the next line";
    /// An indentation digit of 0.
    ZeroIndentation: Both, "found an indentation indicator equal to 0",
        "an indentation digit is 1 to 9" => "write another, or none";
    /// A block scalar whose first line of text is indented less than a blank line above it.
    LeadingBlank: Both, "did not find expected key",
        "a blank line above is indented more than this first line of text" => "remove its spaces";
    /// The same if the line looks like a comment.
    LeadingBlankComment: OnlyYaml12, "",
        "a blank line above is indented more than this line, which kube-apiserver parses as a comment" => "remove its spaces";
    /// An anchor or alias without a name.
    MissingName: Both, "did not find expected alphabetic or numeric character",
        "a name is missing after this" => "add one or quote the text";
    /// An anchor or alias whose name has other characters than letters, digits, `-` and `_`.
    AnchorName: OnlyServer, "did not find expected alphabetic or numeric character",
        "an anchor name may contain only letters, digits, `-` and `_`" => "quote the text if it is not an anchor";
    /// An anchor whose name go-yaml ends at a `:` or `?`.
    AnchorCut: Nobody, "",
        "kube-apiserver ends the anchor name here and parses the rest as text" => "use letters, digits, `-` and `_`";
    /// A tag with a character that is not allowed in tags.
    TagCharacter: Both, "did not find expected whitespace or line break",
        "a tag cannot contain this character" => "quote the text if it is not a tag";
    /// A tag handle without a suffix.
    EmptyTag: Both, "did not find expected tag URI",
        "a name is missing after this" => "add one or quote the text";
    /// A `!<` without its `>`.
    UnclosedTag: Both, "did not find the expected '>'",
        "the `!<` opened here is never closed" => "add a `>` after the tag";
    /// A `%` in a tag that does not start an escape.
    TagEscape: Both, "did not find URI escaped octet",
        "two hexadecimal digits are missing after this `%`" => "add them";
    /// A tag with a comma or bracket.
    TagComma: OnlyYaml12, "",
        "YAML does not allow this character in a tag, although kube-apiserver parses it as part of the tag" => "remove it";
    /// A tag within brackets with a comma after it: the comma becomes part of the tag, and the next text its value.
    FlowTagComma: Nobody, "",
        "kube-apiserver parses this `,` as part of the tag and the rest as its value" => "insert a space before it";
    /// A tag within brackets that is directly followed by a comma or bracket.
    FlowTag: OnlyServer, "did not find expected ',' or '}'",
        "kube-apiserver parses this as part of the tag" => "insert a space before it";
    /// A second anchor or tag of one value.
    RepeatedProperty: Both, "did not find expected key",
        "a value can have only one anchor and one tag" => "remove this one";
    /// An anchor or tag before an alias.
    PropertyOnAlias: Both, "did not find expected key",
        "an alias cannot have an anchor or a tag" => "remove the text before it";
    /// An escape that YAML does not define.
    UnknownEscape: Both, "found unknown escape character",
        "this is not an escape" => "use `\\\\` for a backslash or use single quotes";
    /// `\/`.
    SlashEscape: OnlyServer, "found unknown escape character",
        "kube-apiserver does not support the escape `\\/`" => "use `/`";
    /// `\'`.
    QuoteEscape: OnlyYaml12, "",
        "YAML does not support the escape `\\'`" => "use `'`";
    /// An escape with too few hexadecimal digits.
    EscapeDigits: Both, "did not find expected hexdecimal number",
        "this escape has too few hexadecimal digits" => "write two after `\\x`, four after `\\u`, eight after `\\U`";
    /// An escape that does not encode a character.
    EscapeCharacter: Both, "found invalid Unicode character escape code",
        "this escape is not a Unicode character" => "use another code";
    /// A `%YAML` directive with another version than 1.1.
    DirectiveVersion: OnlyServer, "found incompatible YAML document",
        "kube-apiserver reads only YAML 1.1" => "remove this line";
    /// A directive other than `%YAML` and `%TAG`.
    UnknownDirective: OnlyServer, "found unknown directive name",
        "kube-apiserver supports only the directives `%YAML` and `%TAG`" => "remove this line";
    /// A directive without a document.
    LoneDirective: Both, "did not find expected <document start>",
        "a `---` is missing below this line" => "add it";
    /// A directive with invalid syntax.
    DirectiveSyntax: Both, "did not find expected comment or line break",
        "this directive is invalid" => "use `%YAML 1.1` or `%TAG !name! prefix`, or remove it";
    /// A second `%YAML` directive, or a second `%TAG` for one handle.
    RepeatedDirective: Both, "found duplicate %YAML directive",
        "duplicate directive" => "remove this line";
    /// A `...` without a document before it.
    NoContent: OnlyServer, "did not find expected node content",
        "`...` ends no document" => "remove this line";
    /// Nesting that exceeds the parser's limit.
    TooDeep: Nobody, "",
        "this is nested too deeply" => "split it";
}

impl SyntaxErrorKind {
    /// Whether the tree differs from the API server's reading, although the server continues reading.
    #[must_use]
    pub fn is_misread(self) -> bool {
        matches!(
            self,
            Self::Dropped
                | Self::MissingTopColon
                | Self::AnchorCut
                | Self::FlowTagComma
                | Self::FlowQuestionKey
                | Self::TooDeep
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_of_the_server_has_its_message_and_no_other_has_one() {
        for kind in SyntaxErrorKind::ALL {
            assert_eq!(kind.server_text().is_some(), kind.verdict().server_rejects(), "{kind:?}");
        }
    }
}
