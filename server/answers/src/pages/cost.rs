//! The costs of the rules of a definition: a treemap, and a table of the same data.

use std::fmt::{self, Write};

use ide::picture::{Picture, PictureCell, PictureCost, Place};

use super::treemap::{Tile, tiles};
use super::{Page, Text, class, number, product, share};
use crate::summary::counted;

/// The treemap, in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 320.0;
/// The width of a character of a label.
const CHARACTER: f64 = 7.2;
/// The maximum number of rules in the treemap: the others cost least.
const MOST_TILES: usize = 400;
/// The longest text in the tooltip of a tile, in characters.
const LONGEST: usize = 200;

/// An expression with its cost, and the path of its field.
struct CostRow<'p> {
    path: &'p str,
    text: &'p str,
    /// The kind of the expression, if it is not a rule.
    kind: &'static str,
    place: Option<Place>,
    cost: &'p PictureCost,
}

impl Page {
    pub(super) fn costs(&mut self, picture: &Picture, number_of: usize) -> fmt::Result {
        for (index, version) in picture.versions.iter().enumerate() {
            let id = format!("{number_of}-{index}");
            writeln!(
                self.out,
                "<h2 id=\"v{id}\">{} <small>{} of {}, {}</small></h2>",
                Text(&version.name),
                number(version.cost),
                number(picture.version_limit),
                share(version.cost, picture.version_limit)
            )?;
            if let Some(error) = &version.error {
                writeln!(self.out, "<p class=\"over\">{}</p>", Text(error))?;
            }
            let mut rules = rules(picture, index);
            rules.sort_by_key(|rule| std::cmp::Reverse(rule.cost.total));
            if rules.is_empty() {
                writeln!(self.out, "<p>No rules.</p>")?;
                continue;
            }
            self.treemap(&rules, picture.rule_limit, &id)?;
            self.table(&rules, picture.rule_limit, &id)?;
        }
        Ok(())
    }

    fn treemap(&mut self, rules: &[CostRow<'_>], limit: u64, id: &str) -> fmt::Result {
        let shown = rules.get(..MOST_TILES).unwrap_or(rules);
        let weights: Vec<f64> = shown.iter().map(|rule| digits(rule.cost.total)).collect();
        writeln!(
            self.out,
            "<svg class=\"treemap\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" aria-label=\"Costs of {}; the table \
             below says the same\">",
            counted(rules.len(), "rule").unwrap_or_default()
        )?;
        for (at, (rule, tile)) in shown.iter().zip(tiles(&weights, WIDTH, HEIGHT)).enumerate() {
            self.tile(rule, tile, limit, &format!("r{id}-{at}"))?;
        }
        writeln!(
            self.out,
            "</svg>\n<p class=\"legend\">A rule has the more room the more digits its cost has. The stronger colour is the \
             cost of one evaluation, the weaker one how often it is evaluated.</p>"
        )
    }

    fn tile(&mut self, rule: &CostRow<'_>, tile: Tile, limit: u64, row: &str) -> fmt::Result {
        let Tile { x, y, width, height } = tile;
        let (call, times) = (digits(rule.cost.per_call), digits(rule.cost.times));
        // One evaluation takes the part of the width that corresponds to its share of the digits.
        let call = width * (call / (call + times).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let class = class(rule.cost.total, limit);
        let words = format!("{}: {}, {}", rule.path, cut(rule.text, LONGEST), product(rule.cost, limit));
        writeln!(
            self.out,
            "<a href=\"#{row}\" class=\"tile {class}\" aria-label=\"{}\"><title>{}</title><rect class=\"times\" \
             x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/><rect class=\"call\" x=\"{x:.1}\" \
             y=\"{y:.1}\" width=\"{call:.1}\" height=\"{height:.1}\"/><rect class=\"edge\" x=\"{x:.1}\" y=\"{y:.1}\" \
             width=\"{width:.1}\" height=\"{height:.1}\"/>",
            Text(&words),
            Text(&words)
        )?;
        let characters = ((width - 10.0) / CHARACTER).max(0.0) as usize;
        let factors = if rule.cost.error.is_some() {
            "cost unknown".to_owned()
        } else {
            format!("{} × {}", number(rule.cost.per_call), number(rule.cost.times))
        };
        if characters >= 4 {
            // Most paths have the same beginning, so the beginning is cut.
            let path = cut_before(rule.path, characters);
            let lines = [path, cut(rule.text, characters), cut(&factors, characters)];
            for (at, line) in lines.iter().enumerate() {
                let baseline = 16.0 + 15.0 * at as f64;
                if baseline + 4.0 <= height {
                    let (left, down) = (x + 5.0, y + baseline);
                    write!(self.out, "<text x=\"{left:.1}\" y=\"{down:.1}\">{}</text>", Text(line))?;
                }
            }
        }
        writeln!(self.out, "</a>")
    }

    fn table(&mut self, rules: &[CostRow<'_>], limit: u64, id: &str) -> fmt::Result {
        writeln!(
            self.out,
            "<div class=\"scroll\"><table class=\"costs\" aria-labelledby=\"v{id}\">\n<thead><tr><th \
             scope=\"col\">Field</th><th scope=\"col\">Rule</th><th scope=\"col\" class=\"number\">One \
             evaluation</th><th scope=\"col\" class=\"number\">Times</th><th scope=\"col\" \
             class=\"number\">Total</th><th scope=\"col\">Of the limit of a rule</th><th scope=\"col\">Missing \
             bounds</th></tr></thead>\n<tbody>"
        )?;
        for (at, rule) in rules.iter().enumerate() {
            let class = class(rule.cost.total, limit);
            write!(
                self.out,
                "<tr id=\"r{id}-{at}\" class=\"{class}\" tabindex=\"-1\"><th scope=\"row\">{}</th><td>{}<code \
                 class=\"rule\">{}</code> ",
                Text(rule.path),
                rule.kind,
                Text(rule.text)
            )?;
            if let Some(place) = rule.place {
                self.place(place, &format!("line {}", place.line + 1))?;
            }
            match &rule.cost.error {
                Some(error) => {
                    write!(
                        self.out,
                        "</td><td colspan=\"4\" class=\"over\">cost unknown: {}</td><td>",
                        Text(error)
                    )?;
                }
                None => write!(
                    self.out,
                    "</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td><td>",
                    number(rule.cost.per_call),
                    number(rule.cost.times),
                    number(rule.cost.total),
                    share(rule.cost.total, limit)
                )?,
            }
            for cause in &rule.cost.causes {
                write!(self.out, "<span class=\"cause\"><code>{}</code> on ", Text(&cause.keyword))?;
                self.place(cause.place, &format!("{} (line {})", cause.field, cause.place.line + 1))?;
                write!(self.out, "</span> ")?;
            }
            writeln!(self.out, "</td></tr>")?;
        }
        writeln!(self.out, "</tbody></table></div>")
    }
}

/// The rules of the version at `index`.
fn rules(picture: &Picture, index: usize) -> Vec<CostRow<'_>> {
    let mut all = Vec::new();
    for field in &picture.fields {
        let Some(PictureCell::Declared(declaration)) = field.versions.get(index) else { continue };
        let path = if field.path.is_empty() { "the resource" } else { field.path.as_str() };
        for rule in &declaration.rules {
            let of_rule = (rule.rule.as_str(), "", rule.place, &rule.cost);
            let message = rule.message_expression.as_ref();
            let of_message = message.map(|one| {
                (one.expression.as_str(), "<code>messageExpression</code> ", one.place, &one.cost)
            });
            let priced = [Some(of_rule), of_message].into_iter().flatten();
            all.extend(priced.filter_map(|(text, kind, place, cost)| {
                Some(CostRow { path, text, kind, place, cost: cost.as_ref()? })
            }));
        }
    }
    all
}

/// The number of digits, with a fraction.
fn digits(number: u64) -> f64 {
    (number as f64 + 1.0).log10().max(0.1)
}

/// A text on one line, cut after `most` characters.
fn cut(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some(_) => line.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => line,
    }
}

/// The end of a text, with at most `most` characters.
fn cut_before(text: &str, most: usize) -> String {
    match text.chars().count().checked_sub(most) {
        None | Some(0) => text.to_owned(),
        Some(more) => std::iter::once('…').chain(text.chars().skip(more + 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{cut, cut_before};

    #[test]
    fn a_path_keeps_its_end_and_a_rule_its_start() {
        assert_eq!(cut_before(".spec.rules[*].path", 8), "…*].path");
        assert_eq!(cut_before(".spec", 5), ".spec");
        assert_eq!(cut("self.size\n  > 3", 8), "self.si…");
    }
}
