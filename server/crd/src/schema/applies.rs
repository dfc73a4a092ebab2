//! The types of values that a keyword applies to.

use super::{Keyword, Schema, TypeName};

impl Keyword {
    /// Each lower bound with its upper one: of numbers, strings, lists and objects.
    pub const BOUNDS: [(Self, Self); 4] = [
        (Self::Minimum, Self::Maximum),
        (Self::MinLength, Self::MaxLength),
        (Self::MinItems, Self::MaxItems),
        (Self::MinProperties, Self::MaxProperties),
    ];

    /// The bits of the keywords that apply only to values of some types.
    pub(crate) const OF_SOME_TYPES: u64 = {
        let (mut bits, mut at) = (0, 0);
        while at < Self::ALL.len() {
            if !Self::ALL[at].value_types().is_empty() {
                bits |= Self::ALL[at].bit();
            }
            at += 1;
        }
        bits
    };

    /// Whether the keyword has an effect on values of the type `type_name`: on all values, if it is for no certain types.
    #[must_use]
    pub fn applies_to(self, type_name: &str) -> bool {
        let types = self.value_types();
        types.is_empty() || types.contains(&type_name)
    }

    /// The types of the values that the keyword applies to, most specific first; empty if it applies to all
    /// types.
    #[must_use]
    pub const fn value_types(self) -> &'static [&'static str] {
        match self {
            Self::Pattern | Self::MinLength | Self::MaxLength => &["string"],
            Self::Minimum
            | Self::Maximum
            | Self::ExclusiveMinimum
            | Self::ExclusiveMaximum
            | Self::MultipleOf => &["integer", "number"],
            Self::Items | Self::MinItems | Self::MaxItems => &["array"],
            Self::Properties
            | Self::AdditionalProperties
            | Self::Required
            | Self::MinProperties
            | Self::MaxProperties => &["object"],
            _ => &[],
        }
    }

    /// The keyword that bounds values of type `ty` in the same way as this one bounds values of its type.
    #[must_use]
    pub fn counterpart(self, ty: &str) -> Option<Self> {
        let (lower, upper): (Vec<Self>, Vec<Self>) = Self::BOUNDS.into_iter().unzip();
        let bounds = [lower, upper].into_iter().find(|bounds| bounds.contains(&self))?;
        bounds.into_iter().find(|bound| *bound != self && bound.value_types().contains(&ty))
    }
}

/// Whether `keyword`, which has no effect on the list that `schema` describes, can move to the schema of its items.
#[must_use]
pub fn fits_items(schema: &Schema<'_, '_>, keyword: Keyword) -> bool {
    let is_list = schema.type_name().is("array");
    let Some(items) = schema.schema(Keyword::Items).filter(|_| is_list) else { return false };
    let fits = match items.type_name() {
        TypeName::Named(name) => keyword.value_types().contains(&name.as_ref()),
        TypeName::Missing => true,
        TypeName::Unreadable => false,
    };
    fits && items.get(keyword).is_none()
}
