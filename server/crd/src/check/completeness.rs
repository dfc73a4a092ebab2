//! Value validations may mention only properties and items that the spine declares (check 97).
//!
//! The server checks the junctors of the root alone. Further down it prunes fields that the spine does not
//! declare, so that such a branch can never be valid: crd-ls reports this as a lint.

use api::Code;
use rustc_hash::FxHashMap;
use text::TextRange;
use yaml::{Entry, Item};

use super::outcome::{Builder, NodeFinding, Place, ServerDetail, Step};
use super::{MAX_RELATED, Position, Stage};
use crate::field_path::Segment;
use crate::reading::Budget;
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema};

/// The code of the server's own check.
pub(crate) const COMPLETE: Code = Code::StructuralComplete;
/// The code of the lint.
pub(crate) const COMPLETE_NESTED: Code = Code::StructuralCompleteNested;

/// Checks the junctors of `spine` against the spine below it.
pub(crate) fn check<'t>(spine: &Schema<'_, 't>, position: Position, budget: &mut Budget, out: &mut Builder) {
    let is_root = position == Position::Root;
    let mut check = Check { budget, out, is_root, trail: Vec::new(), path: Vec::new() };
    let mut validations = Vec::new();
    check.branches(spine, None, &mut validations);
    check.node(spine, Place::Owner, validations);
}

struct Check<'b> {
    budget: &'b mut Budget,
    out: &'b mut Builder,
    is_root: bool,
    /// The steps to the value validations, each with the index of its predecessor.
    trail: Vec<(Option<usize>, Step)>,
    /// The path to the current node of the spine.
    path: Vec<Segment>,
}

/// A value validation that applies to a node of the spine, and the index of the last step to it.
struct AppliedValidation<'r, 't> {
    schema: Schema<'r, 't>,
    trail: Option<usize>,
}

/// A value validation for a property or for items, not yet parsed.
struct Mention<'t> {
    entry: Entry<'t>,
    trail: usize,
}

impl Check<'_> {
    /// Compares the fields that `validations` mention with those that `spine` declares. `owner` is the key that
    /// contains `spine`.
    fn node<'r, 't>(
        &mut self,
        spine: &Schema<'r, 't>,
        owner: Place,
        mut validations: Vec<AppliedValidation<'r, 't>>,
    ) {
        if validations.is_empty() || !self.budget.enter() {
            return;
        }
        let mut at = 0;
        while let Some(validation) = validations.get(at) {
            let (schema, trail) = (validation.schema.clone(), validation.trail);
            // Junctors within junctors apply to the same node.
            self.branches(&schema, trail, &mut validations);
            at += 1;
        }
        self.items(spine, owner, &validations);
        self.properties(spine, owner, &validations);
        self.budget.leave();
    }

    /// Adds the branches of the junctors of `schema` to `validations`.
    fn branches<'r, 't>(
        &mut self,
        schema: &Schema<'r, 't>,
        trail: Option<usize>,
        validations: &mut Vec<AppliedValidation<'r, 't>>,
    ) {
        for keyword in Keyword::BRANCHING {
            for (index, value) in schema.items(keyword).map(Item::value).enumerate() {
                if !self.budget.spend(1) {
                    return;
                }
                if let Some(branch) = Schema::read(value, schema.reader()) {
                    let trail = Some(self.step(trail, Step::Branch(keyword, index)));
                    validations.push(AppliedValidation { schema: branch, trail });
                }
            }
        }
        if let Some(branch) = schema.schema(Keyword::Not) {
            let trail = Some(self.step(trail, Step::Only(Keyword::Not)));
            validations.push(AppliedValidation { schema: branch, trail });
        }
    }

    fn items<'r, 't>(
        &mut self,
        spine: &Schema<'r, 't>,
        owner: Place,
        validations: &[AppliedValidation<'r, 't>],
    ) {
        let mut mentions = Vec::new();
        for validation in validations {
            if let (Some(_), Some(entry)) =
                (validation.schema.schema(Keyword::Items), validation.schema.entry(Keyword::Items))
            {
                let trail = self.step(validation.trail, Step::Only(Keyword::Items));
                mentions.push(Mention { entry, trail });
            }
        }
        let step = Step::Only(Keyword::Items);
        match (spine.schema(Keyword::Items), spine.entry(Keyword::Items)) {
            (Some(items), Some(entry)) => self.descend(&items, &step, entry.key_range(), mentions),
            _ if self.keeps(spine, None) => {}
            (_, entry) => {
                let place = entry.map_or(owner, |entry| self.out.place_of(entry.key_range()));
                self.report(&step, place, mentions);
            }
        }
    }

    fn properties<'r, 't>(
        &mut self,
        spine: &Schema<'r, 't>,
        owner: Place,
        validations: &[AppliedValidation<'r, 't>],
    ) {
        let mentions = self.mentioned_properties(validations);
        if mentions.is_empty() {
            return;
        }
        let members = spine.members(Keyword::Properties);
        self.budget.spend(members.entries.len());
        let index = Index::new(&members, mentions.len());
        let place = spine.key_range(Keyword::Properties).map_or(owner, |key| self.out.place_of(key));
        for (key, mentions) in mentions {
            let step = Step::Member(Keyword::Properties, key.as_str().into());
            match index.get(&key) {
                None if self.keeps(spine, Some(&key)) => {}
                None => self.report(&step, place, mentions),
                Some(entry) => {
                    if let Some(property) = Schema::read(entry.value(), spine.reader()) {
                        self.descend(&property, &step, entry.key_range(), mentions);
                    }
                }
            }
        }
    }

    /// The properties that `validations` mention, in order of the first mention.
    fn mentioned_properties<'t>(
        &mut self,
        validations: &[AppliedValidation<'_, 't>],
    ) -> Vec<(String, Vec<Mention<'t>>)> {
        let mut mentions: Vec<(String, Vec<Mention<'t>>)> = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        for validation in validations {
            let members = validation.schema.members(Keyword::Properties);
            self.budget.spend(members.entries.len());
            for (key, entry) in members.entries {
                let step = Step::Member(Keyword::Properties, key.as_ref().into());
                let mention = Mention { entry, trail: self.step(validation.trail, step) };
                let place = *places.entry(key.to_string()).or_insert(mentions.len());
                match mentions.get_mut(place) {
                    Some((_, known)) => known.push(mention),
                    None => mentions.push((key.into_owned(), vec![mention])),
                }
            }
        }
        mentions
    }

    fn descend<'r, 't>(
        &mut self,
        spine: &Schema<'r, 't>,
        step: &Step,
        key: TextRange,
        mentions: Vec<Mention<'t>>,
    ) {
        let read = |mention: Mention<'t>| {
            let schema = Schema::read(mention.entry.value(), spine.reader())?;
            Some(AppliedValidation { schema, trail: Some(mention.trail) })
        };
        let validations = mentions.into_iter().filter_map(read).collect();
        let depth = self.path.len();
        step.push_to(&mut self.path);
        let owner = self.out.place_of(key);
        self.node(spine, owner, validations);
        self.path.truncate(depth);
    }

    /// Reports that the spine does not declare the target of `step`. `place` is the position for the declaration.
    fn report(&mut self, step: &Step, place: Place, mentions: Vec<Mention<'_>>) {
        let mut tail = self.path.clone();
        step.push_to(&mut tail);
        if !self.is_root {
            return self.report_nested(tail, place, &mentions);
        }
        for mention in mentions {
            let related = vec![(self.out.place_of(mention.entry.key_range()), "it is defined here".into())];
            self.out.push(NodeFinding {
                stage: Stage::Structural,
                code: COMPLETE,
                value: None,
                error: ErrorType::Required,
                place,
                tail: tail.clone(),
                detail: ServerDetail::DefinedIn(self.steps(mention.trail)),
                problem: "".into(),
                reason: "".into(),
                advice: "declare the field outside {junctor} as well".into(),
                class: None,
                related,
            });
        }
    }

    /// Reports one finding for all mentions of the field.
    fn report_nested(&mut self, tail: Vec<Segment>, place: Place, mentions: &[Mention<'_>]) {
        let Some(first) = mentions.first() else { return };
        let places = mentions.iter().take(MAX_RELATED).map(|mention| mention.entry.key_range());
        let related = places.map(|key| (self.out.place_of(key), "it is declared here".into())).collect();
        self.out.push(NodeFinding {
            stage: Stage::Lint,
            code: COMPLETE_NESTED,
            value: None,
            error: ErrorType::Required,
            place,
            tail,
            detail: ServerDetail::DefinedIn(self.steps(first.trail)),
            problem: "".into(),
            reason: "kube-apiserver prunes the value before it checks {junctor}".into(),
            advice: "declare it outside as well".into(),
            class: None,
            related,
        });
    }

    /// Whether `spine` keeps an undeclared field, so that the lint does not apply.
    fn keeps(&self, spine: &Schema<'_, '_>, key: Option<&str>) -> bool {
        let is_map = spine.get(Keyword::AdditionalProperties).is_some()
            && spine.boolean(Keyword::AdditionalProperties) != Some(false);
        let is_implicit = spine.is_true(Keyword::EmbeddedResource)
            && key.is_some_and(|key| matches!(key, "apiVersion" | "kind"));
        !self.is_root
            && (spine.is_true(Keyword::PreserveUnknownFields) || key.is_some() && is_map || is_implicit)
    }

    fn step(&mut self, before: Option<usize>, step: Step) -> usize {
        self.trail.push((before, step));
        self.trail.len() - 1
    }

    /// The path to a value validation from the node whose junctors are checked.
    fn steps(&self, last: usize) -> Vec<Segment> {
        let mut steps = Vec::new();
        let mut at = Some(last);
        while let Some((before, step)) = at.and_then(|at| self.trail.get(at)) {
            steps.push(step);
            at = *before;
        }
        let mut path = Vec::new();
        steps.into_iter().rev().for_each(|step| step.push_to(&mut path));
        path
    }
}

/// Members by key, with a hash table for many lookups.
struct Index<'m, 't> {
    members: &'m Members<'t>,
    table: Option<FxHashMap<&'m str, Entry<'t>>>,
}

impl<'m, 't> Index<'m, 't> {
    fn new(members: &'m Members<'t>, questions: usize) -> Self {
        let entries = members.entries.iter().map(|(key, entry)| (key.as_ref(), *entry));
        Self { members, table: (questions > 4).then(|| entries.collect()) }
    }

    fn get(&self, key: &str) -> Option<Entry<'t>> {
        match &self.table {
            Some(table) => table.get(key).copied(),
            None => self.members.get(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::name;
    use super::*;

    #[test]
    fn a_trail_leads_from_the_node_to_the_value_validation() {
        let mut budget = Budget::new(false);
        let mut out = Builder::new(0);
        let mut check =
            Check { budget: &mut budget, out: &mut out, is_root: true, trail: Vec::new(), path: Vec::new() };
        let branch = check.step(None, Step::Branch(Keyword::AnyOf, 1));
        let property = check.step(Some(branch), Step::Member(Keyword::Properties, "a".into()));
        let expected = vec![
            name(Keyword::AnyOf),
            Segment::Index(1),
            name(Keyword::Properties),
            Segment::Key("a".into()),
        ];
        assert_eq!(check.steps(property), expected);
    }
}
