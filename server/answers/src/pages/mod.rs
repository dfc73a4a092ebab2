//! HTML pages: the fields of a definition, and the costs of its rules. Each page is one text that loads
//! nothing: it contains the style and the script, and its content security policy allows only these.

mod cost;
mod schema;
#[cfg(test)]
mod tests;
mod treemap;

use std::fmt::{self, Display, Write};

use ide::is_unbounded;
use ide::picture::{Picture, PictureCost, Place};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// SHA-256 of the style and the script for the policy; a test computes them again.
const STYLE_HASH: &str = "sha256-QnU+uCiuijS21rOggI8n8ahDPcTWkD79XUdO4BPHoAY=";
const SCRIPT_HASH: &str = "sha256-RYKTBGuJv/o9mrlcUQUbLpqJGVMLATE2Ge99qJEwLDo=";

/// The subject of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The fields, with the versions side by side.
    Schema,
    /// The costs of rules.
    Cost,
}

/// The environment of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageEnvironment {
    /// A separate file.
    Alone,
    /// An editor, which can show places of the text.
    InEditor,
}

/// A file with its definitions.
#[derive(Debug)]
pub struct FileDefinitions {
    /// Its name.
    pub name: String,
    /// The definitions in it.
    pub pictures: Vec<Picture>,
}

/// The page of these files.
pub fn page(files: &[FileDefinitions], subject: Subject, shown: PageEnvironment) -> String {
    let mut page = Page { out: String::new(), shown };
    // Writing to a string cannot fail.
    let _ = page.write_all(files, subject);
    page.out
}

/// A text in HTML, escaped for use between tags and between double quotes.
struct Text<'t>(&'t str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // HTML does not allow control characters; characters that change the direction of the text
                // hide content.
                '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}' => {
                    f.write_char('\u{fffd}')?
                }
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_char('\u{fffd}')?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// A page that is being written.
struct Page {
    out: String,
    shown: PageEnvironment,
}

impl Page {
    fn write_all(&mut self, files: &[FileDefinitions], subject: Subject) -> fmt::Result {
        let what = match subject {
            Subject::Schema => "fields",
            Subject::Cost => "costs of rules",
        };
        let kinds: Vec<&str> = files
            .iter()
            .flat_map(|file| &file.pictures)
            .map(|picture| picture.kind.as_str())
            .take(3)
            .collect();
        let title =
            format!("{}: {what}", if kinds.is_empty() { "crd-ls".to_owned() } else { kinds.join(", ") });
        writeln!(
            self.out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src '{STYLE_HASH}'; script-src \
             '{SCRIPT_HASH}'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>",
            Text(&title)
        )?;
        writeln!(self.out, "<main>")?;
        let mut number = 0;
        for file in files {
            for picture in &file.pictures {
                self.head(picture, &file.name, number)?;
                match subject {
                    Subject::Schema => self.schema(picture, number)?,
                    Subject::Cost => self.costs(picture, number)?,
                }
                writeln!(self.out, "</section>")?;
                number += 1;
            }
        }
        if number == 0 {
            writeln!(self.out, "<p>No definitions found.</p>")?;
        }
        writeln!(self.out, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>")
    }

    fn head(&mut self, picture: &Picture, file: &str, number: usize) -> fmt::Result {
        write!(
            self.out,
            "<section aria-labelledby=\"d{number}\" data-definition=\"{number}\">\n<h1 id=\"d{number}\">{} \
             <small>{}</small></h1>\n<p class=\"of\">",
            Text(&picture.kind),
            Text(&picture.group)
        )?;
        let words = format!("{file}, line {}", picture.place.line + 1);
        self.place(picture.place, &words)?;
        writeln!(self.out, "</p>")
    }

    /// A place of the text: a button in an editor.
    fn place(&mut self, place: Place, words: &str) -> fmt::Result {
        match self.shown {
            PageEnvironment::Alone => write!(self.out, "<span class=\"place\">{}</span>", Text(words)),
            PageEnvironment::InEditor => write!(
                self.out,
                "<button type=\"button\" class=\"place\" data-place=\"{}:{}\">{}</button>",
                place.line,
                place.character,
                Text(words)
            ),
        }
    }

    /// The cost of a rule in words, and the missing bounds.
    fn price(&mut self, cost: &PictureCost, limit: u64) -> fmt::Result {
        if let Some(error) = &cost.error {
            return write!(self.out, "<span class=\"cost over\">cost unknown: {}</span>", Text(error));
        }
        let class = class(cost.total, limit);
        write!(self.out, "<span class=\"cost {class}\">cost {}</span>", Text(&product(cost, limit)))?;
        for cause in &cost.causes {
            write!(self.out, " <span class=\"cause\">no <code>{}</code> on ", Text(&cause.keyword))?;
            let line = format!("{} (line {})", cause.field, cause.place.line + 1);
            self.place(cause.place, &line)?;
            write!(self.out, "</span>")?;
        }
        Ok(())
    }
}

/// The class of a cost by its share of the limit.
const fn class(cost: u64, limit: u64) -> &'static str {
    if cost > limit {
        "over"
    } else if cost > limit / 10 {
        "much"
    } else {
        "fine"
    }
}

/// `51 × 64 = 3,264, 0.1 % of the limit`
fn product(cost: &PictureCost, limit: u64) -> String {
    let share = share(cost.total, limit);
    if cost.times == 1 {
        return format!("{}, {share}", number(cost.total));
    }
    format!("{} × {} = {}, {share}", number(cost.per_call), number(cost.times), number(cost.total))
}

fn share(cost: u64, limit: u64) -> String {
    let share = cost as f64 / limit as f64;
    match share {
        _ if is_unbounded(cost) => "exceeds the limit".to_owned(),
        share if share >= 100.0 => format!("{} × the limit", number(share as u64)),
        share if share > 1.0 => format!("{share:.1} × the limit"),
        share if share < 0.001 => "less than 0.1 % of the limit".to_owned(),
        share => format!("{:.1} % of the limit", share * 100.0),
    }
}

/// A number with commas; `unbounded` for a number without a bound.
fn number(number: u64) -> String {
    if is_unbounded(number) {
        return "unbounded".to_owned();
    }
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
