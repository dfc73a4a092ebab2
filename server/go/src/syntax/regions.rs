//! The types of a file with all text that belongs to each, so that two texts of a file can be compared type by type.

use std::collections::HashMap;
use std::sync::Arc;

use super::{DeclarationKind, File, Span};

/// The regions of types, each with the comments before it: from the end of the line on which the previous declaration ends.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// In the order of the text. Types in the same parentheses share a region.
    all: Vec<(Span, Arc<str>)>,
    by_name: HashMap<Arc<str>, Span>,
}

impl Regions {
    /// The regions that contain a span, each with the name of its type.
    pub(crate) fn regions_containing(&self, span: Span) -> impl Iterator<Item = (Span, &str)> {
        let end = self.all.partition_point(|(region, _)| region.start <= span.start);
        let before = self.all.get(..end).unwrap_or_default().iter().rev();
        let start = before.clone().next().map(|(region, _)| region.start);
        before
            .take_while(move |(region, _)| Some(region.start) == start)
            .filter(move |(region, _)| span.end <= region.end)
            .map(|(region, name)| (*region, &**name))
    }

    /// The region of a type.
    pub(crate) fn region_of(&self, name: &str) -> Option<Span> {
        self.by_name.get(name).copied()
    }

    /// The names, each with its region. Of types with the same name, the last one applies.
    pub(crate) fn by_name(&self) -> impl Iterator<Item = (&Arc<str>, Span)> {
        self.by_name.iter().map(|(name, span)| (name, *span))
    }
}

impl File {
    /// The end of the line that contains a byte, without its line break.
    pub(super) fn line_end(&self, at: u32) -> u32 {
        let line = self.lines.partition_point(|start| *start <= at);
        self.lines.get(line).map_or(self.text.len() as u32, |next| next - 1)
    }

    /// The regions of the file's types.
    pub(crate) fn regions(&self) -> &Arc<Regions> {
        self.derived.regions.get_or_init(|| {
            let mut regions = Regions::default();
            // The end of the previous declaration, and the end of its line.
            let (mut before, mut line) = (0, 0);
            for declaration in &self.declarations {
                let start = if declaration.span.start < line { before } else { line };
                let end = self.line_end(declaration.span.end);
                if let DeclarationKind::Type(types, _) = &declaration.kind {
                    for declared in types {
                        let span = Span { start, end };
                        regions.all.push((span, declared.name.name.clone()));
                        regions.by_name.insert(declared.name.name.clone(), span);
                    }
                }
                (before, line) = (declaration.span.end, end);
            }
            Arc::new(regions)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::syntax::Reader;

    #[test]
    fn each_type_of_a_line_has_a_region() {
        let text = "package v1\n\ntype T int; type U string // One.\n\n// V is alone.\ntype V bool\n";
        let file = Reader::new().and_then(|mut reader| reader.read(Path::new("types.go"), text.to_owned()));
        let region = |name| file.as_ref().and_then(|file| Some(file.slice(file.regions().region_of(name)?)));
        assert_eq!(region("T"), Some("package v1\n\ntype T int; type U string // One."));
        assert_eq!(region("U"), Some("; type U string // One."));
        assert_eq!(region("V"), Some("\n\n// V is alone.\ntype V bool"));
    }
}
