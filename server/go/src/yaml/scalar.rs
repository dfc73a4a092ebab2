//! The style of a text: plain, quoted or a block.

/// The column after which a line is folded at the next blank.
const WIDTH: usize = 80;

/// The styles that a text allows.
struct AllowedStyles {
    lines: bool,
    plain: bool,
    single: bool,
    block: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// A text after controller-gen has read its JSON as YAML: there, U+0085 is a line break and is folded.
pub(super) fn read_back(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains('\u{85}') {
        return text.into();
    }
    let mut out = String::new();
    for (at, line) in text.split('\u{85}').enumerate() {
        if at > 0 {
            out.truncate(out.trim_end_matches([' ', '\t']).len());
            // A single break becomes a blank; of several, one is dropped.
            if line.is_empty() {
                out.push('\n')
            } else if !out.ends_with('\n') {
                out.push(' ')
            }
            out.push_str(line.trim_start_matches([' ', '\t']));
        } else {
            out.push_str(line);
        }
    }
    out.into()
}

/// Writes a number of blanks.
pub(super) fn push_blanks(out: &mut String, mut count: usize) {
    const BLANKS: &str = "                                                                ";
    while let Some(rest) = count.checked_sub(BLANKS.len()) {
        out.push_str(BLANKS);
        count = rest;
    }
    out.push_str(BLANKS.get(..count).unwrap_or_default());
}

/// Writes a text at a column. Its further lines start at `indent`. A literal block ends with a line break if its last break
/// is significant.
pub(super) fn push(out: &mut String, text: &str, column: usize, indent: usize, is_key: bool) {
    let allowed = analysed(text);
    let mut style = if text.contains('\n') {
        Style::Literal
    } else if resolves(text) {
        Style::Double
    } else {
        Style::Plain
    };
    if is_key && allowed.lines {
        style = Style::Double;
    }
    if style == Style::Plain && (!allowed.plain || text.is_empty() && is_key) {
        style = Style::Single;
    }
    if style == Style::Single && !allowed.single || style == Style::Literal && (!allowed.block || is_key) {
        style = Style::Double;
    }
    match style {
        // No line is long enough to be folded.
        Style::Plain if column + text.len() <= WIDTH => out.push_str(text),
        Style::Plain => push_flow(out, text, column, indent, !is_key, false),
        Style::Single => push_flow(out, text, column, indent, !is_key, true),
        Style::Double => push_double(out, text, column, indent, !is_key),
        Style::Literal => push_literal(out, text, indent),
    }
}

const fn is_break(ch: char) -> bool {
    matches!(ch, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

const fn is_printable(ch: char) -> bool {
    matches!(ch, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && ch != '\u{feff}'
}

fn analysed(text: &str) -> AllowedStyles {
    if text.is_empty() {
        return AllowedStyles { lines: false, plain: true, single: true, block: false };
    }
    if is_simple(text.as_bytes()) {
        return AllowedStyles { lines: false, plain: true, single: true, block: true };
    }
    if is_lines(text.as_bytes()) {
        let space_break = text.contains(" \n");
        return AllowedStyles {
            lines: true,
            plain: false,
            single: !(space_break || text.contains("\n ")),
            block: !(space_break || text.ends_with(' ')),
        };
    }
    // Most texts are ASCII, in which each byte is a character.
    if text.is_ascii() {
        analysed_of(text, text.bytes().map(char::from))
    } else {
        analysed_of(text, text.chars())
    }
}

/// Whether a text is obviously plain, as most are: it has one line of ASCII, starts with a letter or a digit, does not end
/// with a blank, and contains nothing that ends a key or starts a comment.
fn is_simple(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphanumeric)
        && text.last() != Some(&b' ')
        && all(text, |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b':' | b'#'))
}

/// Whether a text has several lines of printable ASCII.
fn is_lines(text: &[u8]) -> bool {
    text.contains(&b'\n') && all(text, |byte| matches!(byte, b' '..=b'~' | b'\n'))
}

/// Whether all bytes satisfy a condition. Without an early exit, the compiler can check many bytes at once.
fn all(text: &[u8], is_of: impl Fn(u8) -> bool) -> bool {
    text.iter().fold(true, |all, byte| all & is_of(*byte))
}

fn analysed_of(text: &str, chars: impl Iterator<Item = char>) -> AllowedStyles {
    let mut indicator = text.starts_with("---") || text.starts_with("...");
    let (mut special, mut lines) = (false, false);
    let (mut leading, mut trailing_space, mut trailing_break) = (false, false, false);
    let (mut break_space, mut space_break) = (false, false);
    let (mut was_space, mut was_break, mut was_blank) = (false, false, true);
    let mut chars = chars.enumerate().peekable();
    while let Some((at, ch)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let followed = next.is_none_or(|next| next == ' ' || next == '\t' || is_break(next));
        if at == 0 {
            indicator |= match ch {
                '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@'
                | '`' => true,
                '?' | ':' | '-' => followed,
                _ => false,
            };
        } else {
            indicator |= ch == ':' && followed || ch == '#' && was_blank;
        }
        special |= !is_printable(ch);
        if ch == ' ' {
            leading |= at == 0;
            trailing_space |= next.is_none();
            break_space |= was_break;
            (was_space, was_break) = (true, false);
        } else if is_break(ch) {
            lines = true;
            leading |= at == 0;
            trailing_break |= next.is_none();
            space_break |= was_space;
            (was_space, was_break) = (false, true);
        } else {
            (was_space, was_break) = (false, false);
        }
        was_blank = ch == ' ' || ch == '\t' || is_break(ch);
    }
    let ragged = leading || trailing_space || trailing_break || break_space || space_break;
    AllowedStyles {
        lines,
        plain: !(ragged || special || lines || indicator),
        single: !(break_space || space_break || special),
        block: !(trailing_space || space_break || special),
    }
}

/// Whether a plain text would be parsed as another type than a string.
fn resolves(text: &str) -> bool {
    const LONGEST_WORD: usize = 5;
    const WORDS: [&str; 24] = [
        "", "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON", "n", "N", "no", "No",
        "NO", "false", "False", "FALSE", "off", "Off", "OFF", "~",
    ];
    let is_short = text.len() <= LONGEST_WORD;
    if is_short
        && (WORDS.contains(&text) || matches!(text, "null" | "Null" | "NULL" | ".nan" | ".NaN" | ".NAN"))
    {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    if text.starts_with('.') {
        return is_float(text);
    }
    if !text.starts_with(|ch: char| ch.is_ascii_digit() || ch == '+' || ch == '-') {
        return false;
    }
    let digits = text.replace('_', "");
    is_timestamp(text) || is_integer(&digits) || is_float(&digits) || is_base_60(text)
}

/// `[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?`.
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    let exponent =
        exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)));
    mantissa && exponent
}

/// Whether `strconv.ParseInt` with base 0 accepts a 64-bit number, or `ParseUint` a number without a sign.
fn is_integer(text: &str) -> bool {
    let (sign, digits) = match text.as_bytes().first() {
        Some(sign @ (b'+' | b'-')) => (Some(*sign), text.get(1..).unwrap_or("")),
        _ => (None, text),
    };
    let lower = digits.to_ascii_lowercase();
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, lower.get(2..)),
        [b'0', b'b', ..] => (2, lower.get(2..)),
        [b'0', b'o', ..] => (8, lower.get(2..)),
        [b'0', _, ..] => (8, lower.get(1..)),
        _ => (10, Some(&*lower)),
    };
    let Some(value) = digits
        .filter(|digits| digits.chars().all(|digit| digit.is_digit(base)))
        .and_then(|digits| u64::from_str_radix(digits, base).ok())
    else {
        return false;
    };
    match sign {
        None => true,
        Some(b'-') => value <= 1 << 63,
        Some(_) => value < 1 << 63,
    }
}

/// Whether a text is a valid date, or a date and a time.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 5 || !bytes.iter().take(4).all(u8::is_ascii_digit) || bytes.get(4) != Some(&b'-') {
        return false;
    }
    let end = text.find(['T', 't', ' ']).unwrap_or(text.len());
    let (Some(date), Some(time)) = (text.get(..end), text.get(end..)) else { return false };
    let short = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = date.split('-');
    let year: u32 = parts.next().and_then(|year| year.parse().ok()).unwrap_or(0);
    let (Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next()) else { return false };
    if !short(month) || !short(day) {
        return false;
    }
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match number(month) {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return false,
    };
    (1..=days).contains(&number(day)) && is_time(time)
}

/// Whether the part of a timestamp after the date is a time: with a zone after `T`, without one after a blank.
fn is_time(text: &str) -> bool {
    let Some(mark) = text.chars().next() else { return true };
    let rest = text.get(1..).unwrap_or("");
    let (time, zone) = if mark == ' ' {
        (rest, "")
    } else {
        match rest.find(['Z', '+', '-']) {
            Some(at) => (rest.get(..at).unwrap_or(""), rest.get(at..).unwrap_or("")),
            None => return false,
        }
    };
    let zone_is_right = match zone.strip_prefix(['+', '-']) {
        Some(offset) => {
            let parts = offset.split_once(':');
            parts.is_some_and(|(hours, minutes)| is_two_digits(hours, 24) && is_two_digits(minutes, 59))
        }
        None => zone.is_empty() || zone == "Z",
    };
    let (clock, fraction) = match time.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (time, None),
    };
    let fraction_is_right =
        fraction.is_none_or(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    let parts: Vec<&str> = clock.split(':').collect();
    let [hours, minutes, seconds] = parts.as_slice() else { return false };
    zone_is_right
        && fraction_is_right
        && one_or_two(hours, 23)
        && one_or_two(minutes, 59)
        && one_or_two(seconds, 59)
}

fn is_two_digits(text: &str, most: u32) -> bool {
    text.len() == 2 && one_or_two(text, most)
}

fn one_or_two(text: &str, most: u32) -> bool {
    (1..=2).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse::<u32>().is_ok_and(|number| number <= most)
}

/// `^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$`.
fn is_base_60(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (numbers, fraction) = match text.split_once('.') {
        Some((numbers, fraction)) => (numbers, fraction),
        None => (text, ""),
    };
    let is_run = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let mut parts = numbers.split(':');
    let first = parts.next().unwrap_or("");
    let mut rest = parts.peekable();
    first.starts_with(|ch: char| ch.is_ascii_digit())
        && is_run(first)
        && is_run(fraction)
        && rest.peek().is_some()
        && rest.all(|part| match part.as_bytes() {
            [digit] => digit.is_ascii_digit(),
            [ten, digit] => (b'0'..=b'5').contains(ten) && digit.is_ascii_digit(),
            _ => false,
        })
}

/// Writes a text plain or in single quotes.
fn push_flow(out: &mut String, text: &str, mut column: usize, indent: usize, folds: bool, single: bool) {
    let quote = if single { "'" } else { "" };
    out.push_str(quote);
    column += quote.len();
    let mut was_space = false;
    let mut was_break = false;
    let mut chars = text.chars().enumerate().peekable();
    while let Some((at, ch)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if ch == ' ' {
            let inside = !single || at > 0 && next.is_some();
            if folds && !was_space && column > WIDTH && inside && next != Some(' ') {
                out.push('\n');
                push_blanks(out, indent);
                column = indent;
            } else {
                out.push(' ');
                column += 1;
            }
            was_space = true;
        } else if is_break(ch) {
            if !was_break && ch == '\n' {
                out.push('\n');
            }
            out.push(ch);
            column = 0;
            was_break = true;
        } else {
            if was_break {
                push_blanks(out, indent);
                column = indent;
            }
            if single && ch == '\'' {
                out.push('\'');
                column += 1;
            }
            out.push(ch);
            column += 1;
            was_space = false;
            was_break = false;
        }
    }
    out.push_str(quote);
}

fn push_double(out: &mut String, text: &str, mut column: usize, indent: usize, folds: bool) {
    out.push('"');
    column += 1;
    let mut was_space = false;
    let marked = text.starts_with('\u{feff}');
    let mut chars = text.chars().enumerate().peekable();
    while let Some((at, ch)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if !is_printable(ch) || is_break(ch) || ch == '"' || ch == '\\' || marked {
            let escape = escaped(ch);
            column += escape.len();
            out.push_str(&escape);
            was_space = false;
        } else if ch == ' ' {
            if folds && !was_space && column > WIDTH && at > 0 && next.is_some() {
                out.push('\n');
                push_blanks(out, indent);
                column = indent;
                if next == Some(' ') {
                    out.push('\\');
                    column += 1;
                }
            } else {
                out.push(' ');
                column += 1;
            }
            was_space = true;
        } else {
            out.push(ch);
            column += 1;
            was_space = false;
        }
    }
    out.push('"');
}

fn escaped(ch: char) -> String {
    let short = match ch {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        ch => {
            let code = ch as u32;
            return match code {
                0..=0xff => format!("\\x{code:02X}"),
                0x100..=0xffff => format!("\\u{code:04X}"),
                _ => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{short}")
}

fn push_literal(out: &mut String, text: &str, indent: usize) {
    out.push('|');
    if text.starts_with(|ch| ch == ' ' || is_break(ch)) {
        out.push('2');
    }
    let mut from_end = text.chars().rev();
    match from_end.next() {
        Some(last) if is_break(last) => {
            if from_end.next().is_none_or(is_break) {
                out.push('+');
            }
        }
        _ => out.push('-'),
    }
    out.push('\n');
    // The lines of most texts end with the only break that is a single byte.
    if is_lines(text.as_bytes()) {
        push_lines(out, text.split_inclusive('\n'), indent);
    } else {
        push_lines(out, text.split_inclusive(is_break), indent);
    }
}

/// Writes the lines of a literal block, each with its break.
fn push_lines<'t>(out: &mut String, lines: impl Iterator<Item = &'t str>, indent: usize) {
    for line in lines {
        if !line.starts_with(is_break) {
            push_blanks(out, indent);
        }
        out.push_str(line);
    }
}
