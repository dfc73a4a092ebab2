//! Findings that edits do not cause: the problem existed before and could not be found.

use std::collections::HashSet;

use api::Code;
use crd::CompileStep;
use text::{TextEdit, TextRange, TextSize};
use yaml::syntax::NodeRef;
use yaml::{Entry, Tree, Value};

use super::{Fault, FaultKey, OriginalText};

/// The findings that only rules that compile can have.
const COSTS: [Code; 4] =
    [Code::CelRuleCost, Code::CelMessageExpressionCost, Code::CelCrdCostContributor, Code::CelCrdCostTotal];
/// The findings on rules that do not compile.
pub(super) const COMPILE: [Code; 2] = [Code::CelRuleCompile, Code::CelMessageExpressionCompile];
/// The findings that depend on more than their own schema node: on the merge strategy of its parents.
const DISTANT: [Code; 1] = [Code::CelOldSelfUncorrelatable];
/// The groups of findings that prevent the validation of rules.
const HIDING: [&str; 3] = ["structural", "schema", "decode"];
/// The findings that prevent the resolution of selectable fields and the paths of rules in the schema.
const WITHOUT_SCHEMA: [Code; 6] = [
    Code::SchemaForbiddenRef,
    Code::SelectableFieldsNoSchema,
    Code::SelectableFieldsNoValidation,
    Code::SelectableFieldsSchemaConvert,
    Code::SelectableFieldsValidationConvert,
    Code::VersionsSchemaRequired,
];
/// The findings that prevent the validation of a resource.
const WITHOUT_DEFINITION: [Code; 3] =
    [Code::ResourceNotServed, Code::ResourceUnknownVersion, Code::ResourceUnknownKind];
/// Keywords whose loss makes rules more expensive.
const BOUNDS: [&str; 5] = ["maxItems", "maxLength", "maxProperties", "enum", "format"];

const RULES: &str = "x-kubernetes-validations";
const DEFAULT: &str = "default";

/// A text after edits.
pub(super) struct EditedText<'e> {
    tree: &'e Tree,
    /// The places of the inserted texts, in bytes of the edited text.
    places: Vec<TextRange>,
    /// Whether all edits are within rules.
    within_rules: bool,
    /// Whether the edits remove more bounds than they add.
    loosens: bool,
}

impl<'e> EditedText<'e> {
    pub(super) fn new(text: &str, edits: &[TextEdit], tree: &'e Tree) -> Self {
        let mut places = Vec::with_capacity(edits.len());
        let mut shift = 0_i64;
        for edit in edits {
            let start = (i64::from(edit.range.start) + shift) as TextSize;
            places.push(TextRange::at(start, edit.new_text.len() as TextSize));
            shift += edit.new_text.len() as i64 - i64::from(edit.range.len());
        }
        let bounds = |text: &str| BOUNDS.iter().map(|keyword| text.matches(keyword).count()).sum::<usize>();
        let removed: usize =
            edits.iter().filter_map(|edit| text.get(edit.range.as_usize())).map(bounds).sum();
        let brought: usize = edits.iter().map(|edit| bounds(&edit.new_text)).sum();
        let within_rules = places.iter().all(|place| holder(tree, *place, RULES).is_some());
        Self { tree, places, within_rules, loosens: removed > brought }
    }

    /// Whether `fault`, which is new, was hidden before: nothing that it depends on has changed.
    pub(super) fn was_hidden(&self, fault: &Fault, before: &OriginalText) -> bool {
        if DISTANT.contains(&fault.code) {
            return false;
        }
        if COSTS.contains(&fault.code) {
            return !self.loosens && self.were_unpriced(before);
        }
        if fault.code.group() == "selectable-fields" || fault.code == Code::CelFieldPathInvalid {
            return WITHOUT_SCHEMA.iter().any(|code| before.counts.contains_key(code));
        }
        // The object with the unknown kind may be a definition. If it has other findings, it is checked as the intended kind.
        let is_of_object = |code: &Code| code.group() == "resource" && !WITHOUT_DEFINITION.contains(code);
        if before.counts.contains_key(&Code::ResourceUnknownKind) {
            return !before.counts.keys().any(is_of_object);
        }
        if fault.code.group() == "resource" {
            return WITHOUT_DEFINITION.iter().any(|code| before.counts.contains_key(code));
        }
        // Defaults are not validated against a rule that does not compile.
        if fault.code == Code::DefaultsCel && COMPILE.iter().any(|code| before.counts.contains_key(code)) {
            return true;
        }
        let key = match fault.code.group() {
            "cel" => RULES,
            "defaults" => DEFAULT,
            _ => return false,
        };
        let schema = holder(self.tree, fault.range, key);
        schema.is_some_and(|schema| !self.places.iter().any(|place| schema.range().overlaps(*place)))
    }

    /// Whether `fault` is about a rule on a schema node that the edits change: the node itself, or fields
    /// that the rule reads.
    pub(super) fn changes_what_is_read(&self, fault: &Fault) -> bool {
        let Some(schema) = holder(self.tree, fault.range, RULES) else { return false };
        let Some(rule) = rule_around(schema, fault.range) else { return false };
        let is_read = |name: &String| {
            rule.split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| word == name)
        };
        let mut places = self.places.iter().filter(|place| schema.range().contains_range(**place));
        places.any(|place| {
            holder(self.tree, *place, RULES).is_none() && fields_to(schema, *place).iter().all(is_read)
        })
    }

    /// Whether rules had no cost before: those that do not compile, and all rules of a schema that is not
    /// structural.
    fn were_unpriced(&self, before: &OriginalText) -> bool {
        let has = |codes: &dyn Fn(Code) -> bool| before.counts.keys().any(|code| codes(*code));
        has(&|code| COMPILE.contains(&code))
            || !self.within_rules && has(&|code| HIDING.contains(&code.group()))
    }

    /// Whether `fault` is about a rule that had a syntax error or an unknown function before, so that its
    /// types were not checked. `left` are the current findings: an error that still exists did not hide a new
    /// one.
    pub(super) fn was_untyped(fault: &Fault, before: &OriginalText, left: &HashSet<FaultKey>) -> bool {
        if !COMPILE.contains(&fault.code) {
            return false;
        }
        let (step, _) = fault.problem;
        let hides = |(_, _, (earlier, _)): &FaultKey| match *earlier {
            Some(CompileStep::Syntax) => step != Some(CompileStep::Syntax),
            Some(earlier) => step.is_some_and(|step| earlier < step),
            None => false,
        };
        let same = before.compiled.get(&(fault.code, fault.path.clone()));
        same.is_some_and(|same| same.iter().any(|other| hides(other) && !left.contains(other)))
    }
}

/// The outermost mapping around `range` whose entry `key` contains it.
fn holder<'t>(tree: &'t Tree, range: TextRange, key: &str) -> Option<Value<'t>> {
    tree.documents().find_map(|document| below(document.syntax(), range, key))
}

fn below<'t>(node: NodeRef<'t>, range: TextRange, key: &str) -> Option<Value<'t>> {
    let value = Value::of_node(node);
    if entry_around(value, range).is_some_and(|entry| entry.key_text().is_some_and(|name| name == key)) {
        return Some(value);
    }
    node.nodes()
        .filter(|child| child.range().contains_range(range))
        .find_map(|child| below(child, range, key))
}

fn entry_around(value: Value<'_>, range: TextRange) -> Option<Entry<'_>> {
    let mut entries = value.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
    entries.find(|entry| entry.range().contains_range(range))
}

/// The names of the fields on the path from the schema `value` to `place`.
fn fields_to(value: Value<'_>, place: TextRange) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = entry_around(value, place);
    while let Some(entry) = at {
        let is_holder = entry.key_text().is_some_and(|key| key == "properties");
        let field = entry_around(entry.value(), place).filter(|_| is_holder);
        names.extend(field.and_then(Entry::key_text).map(|name| name.into_owned()));
        at = entry_around(field.unwrap_or(entry).value(), place);
    }
    names
}

/// The text of the rule of `schema` around `range`.
fn rule_around(schema: Value<'_>, range: TextRange) -> Option<String> {
    let rules = entry_around(schema, range)?.value();
    let mut items = rules.as_sequence().into_iter().flat_map(yaml::Sequence::items);
    let rule = items.find(|item| item.range().contains_range(range))?.value().node()?;
    let text = rule.text();
    Some(text)
}
