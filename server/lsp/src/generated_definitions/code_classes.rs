//! Classes of codes and messages that decide where in Go a finding is shown.

use crd::schema::Keyword;
use crd::{FieldPath, ProblemClass};
use ide::{Code, Message};

/// Whether the cause of a finding may be a struct that is not an object in the schema.
pub(super) fn reads_structs(code: Code) -> bool {
    code.as_str().starts_with("cel/")
        || matches!(
            code,
            Code::SchemaListMapItemsObject
                | Code::DefaultsSchema
                | Code::LintColumnPath
                | Code::LintScalePath
        )
}

/// Whether an expression does not compile. The cost of an expression depends on all types around it, but an error only on those
/// that the expression reads.
pub(super) const fn is_compile_error(code: Code) -> bool {
    matches!(code, Code::CelRuleCompile | Code::CelMessageExpressionCompile)
}

/// Whether a keyword describes the parts of a value. Go types generate such keywords, so the error is the marker that gives the
/// value another type.
pub(super) fn describes_parts(path: &FieldPath) -> bool {
    let keyword = path.segments().last().and_then(|last| Keyword::parse(last.key()?));
    matches!(
        keyword,
        Some(Keyword::AdditionalProperties | Keyword::Items | Keyword::Properties | Keyword::Required)
    )
}

/// Whether a message lists the supported values or schemas instead of the error.
pub(super) fn is_general(message: &Message) -> bool {
    message.class == Some(ProblemClass::NoAlternative)
}

/// Whether a finding is on a definition as a whole, not on its schemas.
pub(super) const fn is_of_whole(code: Code) -> bool {
    matches!(
        code,
        Code::LintColumnPath
            | Code::LintDeprecationWarning
            | Code::LintScalePath
            | Code::LintSize
            | Code::LintStatusSubresource
            | Code::VersionsOneStorage
    )
}

/// Whether a finding is on the rule itself, and does not depend on where its type is used.
pub(crate) const fn is_of_rule(code: Code) -> bool {
    matches!(code, Code::CelRuleCompile | Code::CelMessageExpressionCompile)
}

/// Whether a finding is that the items do not fit the type of their list.
pub(super) const fn is_of_items(code: Code) -> bool {
    matches!(code, Code::SchemaListMapItemsObject | Code::SchemaSetItemsAtomic)
}

/// Whether a finding is that a rule costs too much, or may do so.
pub(super) const fn is_of_cost(code: Code) -> bool {
    matches!(
        code,
        Code::CelCrdCostContributor
            | Code::CelCrdCostTotal
            | Code::CelMessageExpressionCost
            | Code::CelRuleCost
            | Code::LintUnboundedInRule
    )
}

/// Whether a finding on a rule depends on where its type is used.
pub(super) const fn is_of_places(code: Code) -> bool {
    matches!(
        code,
        Code::CelCrdCostContributor
            | Code::CelMessageExpressionCost
            | Code::CelOldSelfUncorrelatable
            | Code::CelRuleCost
    )
}

/// The node whose token causes a finding, if it differs from the node that the server names.
pub(super) fn other_cause<'s>(code: Code, steps: &[&'s str]) -> Option<Vec<&'s str>> {
    let node = |up: usize, below: &[&'s str]| {
        let above = steps.get(..steps.len().checked_sub(up)?)?;
        Some([above, below].concat())
    };
    match code {
        Code::StructuralEmbeddedAdditionalProperties
        | Code::StructuralEmbeddedType
        | Code::StructuralEmbeddedProperties => node(1, &["x-kubernetes-embedded-resource"]),
        // The path ends with `items` and the keyword that the items lack.
        code if is_of_items(code) => node(2, &["x-kubernetes-list-type"]),
        // The total cost of the rules of a definition has no node, so the finding is shown at the kind.
        Code::CelCrdCostTotal => Some(vec!["spec", "names", "kind"]),
        Code::LintStatusSubresource => {
            let version = steps.get(..3).filter(|steps| steps.starts_with(&["spec", "versions"]))?;
            Some([version, &["schema", "openAPIV3Schema", "properties", "status"]].concat())
        }
        _ => None,
    }
}
