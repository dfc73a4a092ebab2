//! The fields of a definition as a tree, with the versions side by side.

use std::fmt::{self, Write};

use ide::picture::{Picture, PictureCell, PictureDeclaration, PictureField};

use super::{Page, Text};

/// The maximum number of values of an enumeration that are shown; the others are counted.
const MOST_VALUES: usize = 12;

impl Page {
    pub(super) fn schema(&mut self, picture: &Picture, number: usize) -> fmt::Result {
        self.tools(picture, number)?;
        writeln!(
            self.out,
            "<div class=\"scroll\"><table role=\"treegrid\" aria-labelledby=\"d{number}\">\n<thead>\n<tr \
             role=\"row\"><th scope=\"col\" role=\"columnheader\">Field</th>"
        )?;
        for version in &picture.versions {
            write!(self.out, "<th scope=\"col\" role=\"columnheader\">{}", Text(&version.name))?;
            for (applies, word) in [
                (version.storage, "stored"),
                (!version.served, "not served"),
                (version.deprecated.is_some(), "deprecated"),
            ] {
                if applies {
                    write!(self.out, " <span class=\"mark\">{word}</span>")?;
                }
            }
            writeln!(self.out, "</th>")?;
        }
        writeln!(self.out, "</tr>\n</thead>\n<tbody>")?;
        let positions = positions(&picture.fields);
        for (at, (field, position)) in picture.fields.iter().zip(&positions).enumerate() {
            let has_more = picture.fields.get(at + 1).is_some_and(|next| next.depth > field.depth);
            self.row(picture, field, (at, has_more, *position), number)?;
        }
        writeln!(self.out, "</tbody>\n</table></div>")?;
        if picture.left_out > 0 {
            let left_out = picture.left_out;
            writeln!(self.out, "<p class=\"more\">At least {left_out} more fields are not shown.</p>")?;
        }
        Ok(())
    }

    fn tools(&mut self, picture: &Picture, number: usize) -> fmt::Result {
        writeln!(
            self.out,
            "<div class=\"tools\" role=\"search\">\n<label for=\"s{number}\">Search</label> <input id=\"s{number}\" \
             type=\"search\" class=\"search\" placeholder=\"name, path, description or rule\">"
        )?;
        if picture.versions.len() > 1 {
            writeln!(
                self.out,
                "<label><input type=\"checkbox\" class=\"differences\"> Only differences between versions</label>"
            )?;
        }
        writeln!(
            self.out,
            "<button type=\"button\" class=\"unfold\">Expand all</button>\n<button type=\"button\" \
             class=\"fold\">Collapse all</button>\n<span role=\"status\" class=\"status\"></span>\n</div>"
        )
    }

    fn row(
        &mut self,
        picture: &Picture,
        field: &PictureField,
        (at, has_more, (position, siblings)): (usize, bool, (usize, usize)),
        number: usize,
    ) -> fmt::Result {
        let first = field.versions.iter().find_map(declaration);
        let place = first.map(|declaration| {
            format!(" data-place=\"{}:{}\"", declaration.place.line, declaration.place.character)
        });
        let expanded = if has_more { " aria-expanded=\"true\"" } else { "" };
        let different = if field.is_same { "" } else { " data-different=\"\"" };
        write!(
            self.out,
            "<tr role=\"row\" id=\"f{number}-{at}\" aria-level=\"{}\" aria-posinset=\"{position}\" \
             aria-setsize=\"{siblings}\"{expanded}{different}{} tabindex=\"{}\"><th scope=\"row\" \
             role=\"rowheader\">",
            field.depth + 1,
            place.unwrap_or_default(),
            if at == 0 { 0 } else { -1 },
        )?;
        write!(self.out, "<span class=\"line\">")?;
        for _ in 0..field.depth {
            write!(self.out, "<i class=\"in\"></i>")?;
        }
        let twist = if has_more { "twist" } else { "leaf" };
        let name = if field.name.is_empty() { picture.kind.as_str() } else { &field.name };
        write!(
            self.out,
            "<span class=\"{twist}\" aria-hidden=\"true\"></span><span><span class=\"name\">{}</span>",
            Text(name)
        )?;
        if !field.path.is_empty() {
            write!(self.out, "<span class=\"path\">{}</span>", Text(&field.path))?;
        }
        if let Some(description) = first.and_then(|declaration| declaration.description.as_deref()) {
            write!(self.out, "<span class=\"description\">{}</span>", Text(description))?;
        }
        write!(self.out, "</span></span>")?;
        write!(self.out, "</th>")?;
        match field.versions.first() {
            // A cell that is the same in all versions is shown once.
            Some(cell) if field.is_same => self.cell(picture, cell, field.versions.len())?,
            _ => field.versions.iter().try_for_each(|cell| self.cell(picture, cell, 1))?,
        }
        writeln!(self.out, "</tr>")
    }

    fn cell(&mut self, picture: &Picture, cell: &PictureCell, columns: usize) -> fmt::Result {
        let wide = if columns > 1 { format!(" colspan=\"{columns}\"") } else { String::new() };
        match cell {
            PictureCell::Dropped => {
                write!(self.out, "<td role=\"gridcell\"{wide} class=\"none\">dropped</td>")
            }
            PictureCell::Kept => {
                write!(self.out, "<td role=\"gridcell\"{wide} class=\"none\">kept unchecked</td>")
            }
            PictureCell::Declared(declaration) => {
                write!(self.out, "<td role=\"gridcell\"{wide}>")?;
                self.write_declaration(picture, declaration)?;
                write!(self.out, "</td>")
            }
        }
    }

    fn write_declaration(&mut self, picture: &Picture, declaration: &PictureDeclaration) -> fmt::Result {
        write!(self.out, "<span class=\"type\">{}</span>", Text(&declaration.type_name))?;
        if declaration.required {
            write!(self.out, " <span class=\"mark required\">required</span>")?;
        }
        if let Some(default) = &declaration.default {
            write!(self.out, " <span class=\"bound\">default <code>{}</code></span>", Text(default))?;
        }
        if !declaration.allowed.is_empty() {
            write!(self.out, " <span class=\"bound\">one of")?;
            for value in declaration.allowed.iter().take(MOST_VALUES) {
                write!(self.out, " <code>{}</code>", Text(value))?;
            }
            if declaration.allowed.len() > MOST_VALUES {
                write!(self.out, " and {} more", declaration.allowed.len() - MOST_VALUES)?;
            }
            write!(self.out, "</span>")?;
        }
        for bound in &declaration.bounds {
            write!(self.out, " <span class=\"bound\">{}</span>", Text(bound))?;
        }
        if declaration.rules.is_empty() {
            return Ok(());
        }
        write!(self.out, "<ul class=\"rules\">")?;
        for rule in &declaration.rules {
            write!(self.out, "<li><code class=\"rule\">{}</code> ", Text(&rule.rule))?;
            if !rule.message.is_empty() {
                write!(self.out, "<span class=\"message\">{}</span> ", Text(&rule.message))?;
            }
            if let Some(cost) = &rule.cost {
                self.price(cost, picture.rule_limit)?;
            }
            if let Some(place) = rule.place {
                write!(self.out, " ")?;
                self.place(place, &format!("line {}", place.line + 1))?;
            }
            write!(self.out, "</li>")?;
        }
        write!(self.out, "</ul>")
    }
}

fn declaration(cell: &PictureCell) -> Option<&PictureDeclaration> {
    match cell {
        PictureCell::Declared(declaration) => Some(declaration.as_ref()),
        _ => None,
    }
}

/// For each field, its index among its siblings, from 1, and the number of siblings.
fn positions(fields: &[PictureField]) -> Vec<(usize, usize)> {
    let mut positions = vec![(0, 0); fields.len()];
    // For each level, the fields since the last field of a higher level.
    let mut open: Vec<Vec<usize>> = Vec::new();
    let close = |siblings: Vec<usize>, positions: &mut Vec<(usize, usize)>| {
        let count = siblings.len();
        for (at, sibling) in siblings.into_iter().enumerate() {
            if let Some(position) = positions.get_mut(sibling) {
                *position = (at + 1, count);
            }
        }
    };
    for (at, field) in fields.iter().enumerate() {
        while open.len() > field.depth + 1 {
            close(open.pop().unwrap_or_default(), &mut positions);
        }
        while open.len() <= field.depth {
            open.push(Vec::new());
        }
        if let Some(siblings) = open.get_mut(field.depth) {
            siblings.push(at);
        }
    }
    while let Some(siblings) = open.pop() {
        close(siblings, &mut positions);
    }
    positions
}
