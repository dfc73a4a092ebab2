//! The definitions of the kinds that one Go file declares, analysed as one text.

use std::path::PathBuf;
use std::sync::Arc;

use ide::{AnalysisBasis, File, Surroundings};
use text::{TextBuffer, TextEdit, TextSize};

use super::AnalysisInputs;

/// The definitions of the kinds that one Go file declares. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct GoFileDefinitions {
    /// The Go file.
    pub(crate) path: PathBuf,
    /// All of them, as one text.
    pub(crate) buffer: TextBuffer,
    pub(crate) file: File,
    products: Arc<[Product]>,
}

/// One of the definitions.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    /// Its offset in the text of all definitions.
    pub(crate) start: TextSize,
    /// The name of the file to which controller-gen writes it.
    pub(crate) name: String,
    pub(crate) text: Arc<str>,
}

impl GoFileDefinitions {
    /// The definitions.
    pub(crate) fn products(&self) -> &[Product] {
        &self.products
    }

    /// The definition at `offset`.
    pub(crate) fn product(&self, offset: TextSize) -> Option<&Product> {
        self.products.iter().rfind(|product| product.start <= offset)
    }

    /// Analyses definitions, each with its name and its text, and reuses the results in `before`. `None` if the analysis was
    /// stopped.
    pub(super) fn analysed(
        path: PathBuf,
        definitions: Vec<(String, Arc<str>)>,
        before: Option<&Self>,
        around: &AnalysisInputs<'_>,
    ) -> Option<Self> {
        let settings = (around.settings)(&path);
        let base = (around.base)(&path);
        let source: Arc<str> = path.display().to_string().into();
        let surroundings = Surroundings { source, base, ..Surroundings::default() };
        let known = before.filter(|before| *before.file.settings() == settings);
        if let Some(known) = known.filter(|known| known.is_of(&definitions)) {
            let file = known.file.in_surroundings_until(surroundings, around.stop).ok()?;
            return Some(Self { file, ..known.clone() });
        }
        let mut text = String::with_capacity(definitions.iter().map(|(_, text)| text.len()).sum());
        let mut products = Vec::with_capacity(definitions.len());
        for (name, definition) in definitions {
            let start = TextSize::try_from(text.len()).unwrap_or(TextSize::MAX);
            text.push_str(&definition);
            products.push(Product { start, name, text: definition });
        }
        let (basis, buffer) = match known {
            None => (AnalysisBasis::new(&text, &settings), TextBuffer::new(&text)),
            Some(known) => match known.buffer.difference(&text) {
                None => (known.file.basis(), known.buffer.clone()),
                Some(edit) => {
                    let buffer = edited(&known.buffer, &edit, &text);
                    let slice = |range| buffer.slice(range).into_owned();
                    (known.file.basis().edited(&edit, &slice), buffer)
                }
            },
        };
        let file = basis.analyse(surroundings, around.stop).ok()?;
        Some(Self { path, buffer, file, products: products.into() })
    }

    /// Whether it has exactly these texts.
    fn is_of(&self, definitions: &[(String, Arc<str>)]) -> bool {
        let is_same = |(product, (name, text)): (&Product, &(String, Arc<str>))| {
            Arc::ptr_eq(&product.text, text) && product.name == *name
        };
        self.products.len() == definitions.len() && self.products.iter().zip(definitions).all(is_same)
    }
}

/// `buffer` after an edit, with the result `text`.
fn edited(buffer: &TextBuffer, edit: &TextEdit, text: &str) -> TextBuffer {
    let mut after = buffer.clone();
    match after.apply(edit) {
        Ok(()) => after,
        Err(_) => TextBuffer::new(text),
    }
}
