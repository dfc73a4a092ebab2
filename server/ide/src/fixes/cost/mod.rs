//! Fixes for rules that are too expensive: bounds for the values that they read, and cheaper expressions.
//!
//! All expressions of a schema are solved together, so that the bounds of one fix leave room for those of the
//! others. A fix sets the part of that solution that its finding needs.

mod cheaper;
mod natural;
mod safe;
mod solve;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use api::Code;
use crd::FieldPath;
use crd::cel::{EXPRESSION_LIMIT, SCHEMA_LIMIT, cost_words};
use crd::rules::{CostModel, Size, cost_models};
use crd::schema::Keyword;
use text::{TextEdit, TextRange};
use yaml::edit::{Editor, NewEntry, NewValue, Position};
use yaml::{Document, Reader};

use self::natural::{CandidateBound, ladder};
use self::solve::{BoundSearch, Bounds, CostLimits};
use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::caches::Caches;
use crate::analysis::place::{by_name, is_sorted};
use crate::fixes::rewrite::changed;
use crate::{Finding, Fix};

const TOTAL: [Code; 2] = [Code::CelCrdCostTotal, Code::CelCrdCostContributor];
const SINGLE: [Code; 2] = [Code::CelRuleCost, Code::CelMessageExpressionCost];
/// The maximum number of replacements in one expression.
const MOST_REWRITES: usize = 8;
/// The maximum number of expressions that are replaced against the total cost.
const MOST_REWORDED: usize = 4;
/// The maximum number of bounds in a title.
const MOST_NAMED: usize = 2;

/// The fixes for the touched findings of `request` that are about costs.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let is_about_cost = |code: Code| TOTAL.contains(&code) || SINGLE.contains(&code);
    let wanted: Vec<&Finding> = request.touched().filter(|finding| is_about_cost(finding.code)).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut fixes: Vec<Fix> = Vec::new();
    let mut by_edits: BTreeMap<Vec<TextEdit>, usize> = BTreeMap::new();
    for model in cost_models(request.document, &request.settings().options(), &mut Caches::default().crd) {
        let of_it = wanted.iter().filter(|finding| finding.field_path.starts_with(&model.path));
        let of_it: Vec<&Finding> = of_it.copied().collect();
        if of_it.is_empty() {
            continue;
        }
        let writer = Writer::new(request.document, request.editor);
        let weight = weight(&model);
        let Some(solved) = SolvedSchema::new(model, &writer, &mut || proof.may_make_edits(weight)) else {
            continue;
        };
        let mut numbers: HashMap<FieldPath, usize> = HashMap::new();
        for (number, expression) in solved.model.expressions.iter().enumerate() {
            numbers.entry(expression.path.clone()).or_insert(number);
        }
        // A fix for a single rule has the cost of that rule in its title. If it is the only necessary fix, it
        // repairs the finding on the total as well.
        let (single, total): (Vec<&Finding>, Vec<&Finding>) =
            of_it.into_iter().partition(|finding| SINGLE.contains(&finding.code));
        for finding in single.into_iter().chain(total) {
            if !proof.may_make_edits(weight) {
                break;
            }
            let number = numbers.get(&finding.field_path).copied();
            for remedy in solved.remedies(finding, number, &writer) {
                let Some(fix) = remedy.fix(finding, &solved.model, &writer) else { continue };
                match by_edits.get(&fix.edits).and_then(|index| fixes.get_mut(*index)) {
                    Some(known) => known.repairs.extend(fix.repairs),
                    None => {
                        by_edits.insert(fix.edits.clone(), fixes.len());
                        fixes.push(fix);
                    }
                }
            }
        }
    }
    fixes.retain(|fix| {
        let mut codes: Vec<Code> = fix.repairs.iter().map(|(code, _)| *code).collect();
        codes.sort_unstable();
        codes.dedup();
        proof.reduces_each(&codes, &fix.edits)
    });
    fixes
}

/// The size of the search for one remedy, which tries bounds for all sizes several times.
fn weight(model: &CostModel) -> usize {
    const TIMES: usize = 4;
    TIMES * (model.sizes.len() + model.expressions.len())
}

/// A schema with a solution that brings all its expressions below their limits.
struct SolvedSchema {
    /// With cheaper expressions if no bounds help.
    model: CostModel,
    ladders: Vec<Vec<CandidateBound>>,
    rewordings: Vec<CheaperExpression>,
    /// The indexes of expressions that neither bounds nor cheaper expressions help.
    hopeless: Vec<usize>,
    bounds: Option<Bounds>,
}

/// A cheaper expression.
#[derive(Clone)]
struct CheaperExpression {
    number: usize,
    /// The replacements, each once.
    replacements: Vec<String>,
    /// The whole expression before and after.
    old: String,
    new: String,
}

impl SolvedSchema {
    /// `None` if `may_search` does not permit the first search.
    fn new(
        mut model: CostModel,
        writer: &Writer<'_, '_>,
        may_search: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        if !may_search() {
            return None;
        }
        let mut rewordings = Vec::new();
        let of = |model: &mut CostModel| {
            let ladders = writer.ladders(&model.sizes);
            BoundSearch::new(model, &ladders).unsolvable()
        };
        let mut hopeless = of(&mut model);
        for number in std::mem::take(&mut hopeless) {
            let found = if may_search() { reworded(&model, number, writer) } else { None };
            let Some((other, reworded)) = found else {
                hopeless.push(number);
                continue;
            };
            model = other;
            rewordings.push(reworded);
            if of(&mut model).contains(&number) {
                hopeless.push(number);
            }
        }
        Some(Self::of(model, rewordings, hopeless, writer))
    }

    fn of(
        mut model: CostModel,
        rewordings: Vec<CheaperExpression>,
        hopeless: Vec<usize>,
        writer: &Writer<'_, '_>,
    ) -> Self {
        let ladders = writer.ladders(&model.sizes);
        let mut search = BoundSearch::new(&mut model, &ladders).without_expressions(&hopeless);
        let is_over = |(number, cost): (usize, &u64)| {
            (*cost > EXPRESSION_LIMIT && !hopeless.contains(&number)).then_some(number)
        };
        let each = search.costs().iter().enumerate().filter_map(is_over).collect();
        let together = search.total() > SCHEMA_LIMIT;
        let bounds = search.run(&CostLimits { each, together }).then(|| search.bounds());
        Self { model, ladders, rewordings, hopeless, bounds }
    }

    /// The remedies for `finding`, which is about the expression `number`, the best first.
    fn remedies(&self, finding: &Finding, number: Option<usize>, writer: &Writer<'_, '_>) -> Vec<Remedy> {
        let is_total = TOTAL.contains(&finding.code);
        let of_it = |solved: &Self| match number {
            Some(number) if !is_total => solved.of_expression(number),
            _ => solved.of_all(),
        };
        let mut remedies: Vec<Remedy> = of_it(self).into_iter().collect();
        // Cheaper expressions may permit greater bounds, or make them unnecessary.
        let others = match number {
            Some(number) => vec![number],
            None => self.most_expensive(),
        };
        let (mut model, mut rewordings) = (self.model.clone(), self.rewordings.clone());
        for number in others {
            if rewordings.iter().all(|it| it.number != number)
                && let Some((other, reworded)) = reworded(&model, number, writer)
            {
                model = other;
                rewordings.push(reworded);
            }
        }
        if rewordings.len() > self.rewordings.len() {
            remedies.extend(of_it(&Self::of(model, rewordings, self.hopeless.clone(), writer)));
        }
        remedies
    }

    /// The indexes of the expressions with the largest share of the total limit, the most expensive first.
    fn most_expensive(&self) -> Vec<usize> {
        let mut model = self.model.clone();
        let unbounded: Bounds = model.sizes.iter().map(|_| None).collect();
        let costs = (0..model.expressions.len()).map(|number| (model.cost(number, &unbounded), number));
        let mut costs: Vec<(u64, usize)> = costs.filter(|(cost, _)| *cost > SCHEMA_LIMIT / 100).collect();
        costs.sort_by_key(|(cost, number)| (std::cmp::Reverse(*cost), *number));
        costs.into_iter().take(MOST_REWORDED).map(|(_, number)| number).collect()
    }

    /// The remedy for one expression.
    fn of_expression(&self, number: usize) -> Option<Remedy> {
        if self.hopeless.contains(&number) {
            return None;
        }
        let mut model = self.model.clone();
        let bounds = match &self.bounds {
            Some(bounds) => bounds.clone(),
            None => {
                let mut search = BoundSearch::new(&mut model, &self.ladders);
                let fits = search.run(&CostLimits { each: vec![number], together: false });
                fits.then(|| search.bounds())?
            }
        };
        let needed = &self.model.expressions.get(number)?.depends_on;
        let cost = model.cost(number, &bounds);
        let reworded = self.rewordings.iter().filter(|it| it.number == number).cloned().collect();
        Some(Remedy {
            reworded,
            set: self.set(&bounds, |size| needed.contains(&size)),
            cost,
            is_total: false,
        })
    }

    /// The remedy for all expressions together.
    fn of_all(&self) -> Option<Remedy> {
        let bounds = self.bounds.as_ref().filter(|_| self.hopeless.is_empty())?;
        let mut model = self.model.clone();
        let costs = (0..model.expressions.len()).map(|number| model.cost(number, bounds));
        let cost = costs.fold(0, u64::saturating_add);
        let reworded = self.rewordings.clone();
        Some(Remedy { reworded, set: self.set(bounds, |_| true), cost, is_total: true })
    }

    fn set(&self, bounds: &Bounds, is_needed: impl Fn(usize) -> bool) -> Vec<(Size, u64)> {
        let sizes = self.model.sizes.iter().zip(bounds).enumerate();
        sizes
            .filter(|(number, _)| is_needed(*number))
            .filter_map(|(_, (size, bound))| Some((size.clone(), (*bound)?)))
            .collect()
    }
}

/// The model with a cheaper expression, of the same meaning, in place of the expression `number`.
fn reworded(
    model: &CostModel,
    number: usize,
    writer: &Writer<'_, '_>,
) -> Option<(CostModel, CheaperExpression)> {
    let old = model.expressions.get(number)?.text.clone();
    let least = |model: &CostModel| {
        let mut model = model.clone();
        let ladders = writer.ladders(&model.sizes);
        let last = |ladder: &Vec<CandidateBound>| ladder.last().and_then(|step| step.bound);
        let bounds: Bounds = ladders.iter().map(last).collect();
        model.cost(number, &bounds)
    };
    let before = least(model);
    let (mut now, mut cost, mut what) = (model.clone(), before, Vec::new());
    for _ in 0..MOST_REWRITES {
        let of = now.expressions.get(number)?;
        let next = cheaper::rewrites(of).into_iter().find_map(|rewrite| {
            let mut text = of.text.clone();
            text.replace_range(rewrite.range.as_usize(), &rewrite.text);
            let other = now.rewritten(number, &text)?;
            let after = least(&other);
            (after <= cost).then_some((other, after, rewrite.effect))
        });
        let Some((other, after, done)) = next else { break };
        (now, cost) = (other, after);
        if !what.contains(&done) {
            what.push(done);
        }
    }
    let new = now.expressions.get(number)?.text.clone();
    (cost < before && model.is_equivalent(number, &new))
        .then_some((now, CheaperExpression { number, replacements: what, old, new }))
}

/// The changes that bring a cost below its limit.
struct Remedy {
    reworded: Vec<CheaperExpression>,
    set: Vec<(Size, u64)>,
    /// The resulting cost of the expression, or of all of them.
    cost: u64,
    is_total: bool,
}

impl Remedy {
    fn fix(&self, finding: &Finding, model: &CostModel, writer: &Writer<'_, '_>) -> Option<Fix> {
        let mut edits = writer.bounded(&self.set)?;
        for one in &self.reworded {
            edits.extend(writer.reworded(model, one)?);
        }
        edits.sort();
        let are_disjoint = edits.windows(2).all(|pair| match pair {
            [one, other] => one.range.end <= other.range.start,
            _ => true,
        });
        (are_disjoint && !edits.is_empty())
            .then(|| Fix::suggested(self.title(), edits, finding.code, finding.range))
    }

    fn title(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for what in self.reworded.iter().flat_map(|one| &one.replacements) {
            if !parts.contains(what) && !parts.contains(&with_small_letter(what)) {
                parts.push(if parts.is_empty() { what.clone() } else { with_small_letter(what) });
            }
        }
        let (verb, on) = match self.set.iter().any(|(size, _)| size.bound.is_some()) {
            true => ("Set", "on"),
            false => ("Add", "to"),
        };
        // Menus cut long titles, which would hide the cost.
        let most = if parts.is_empty() { MOST_NAMED } else { 1 };
        let mut bounds: Vec<String> =
            self.set.iter().take(most).map(|(size, bound)| bound_on(size, *bound, on)).collect();
        let more = self.set.len().saturating_sub(most);
        if more > 0 {
            let plural = if more == 1 { "" } else { "s" };
            bounds.push(format!("{more} more bound{plural}"));
        }
        if let Some(last) = bounds.pop() {
            let set = if bounds.is_empty() { last } else { format!("{} and {last}", bounds.join(", ")) };
            parts.push(if parts.is_empty() {
                format!("{verb} {set}")
            } else {
                format!("{} {set}", verb.to_lowercase())
            });
        }
        let what = parts.join("; ");
        let (limit, of) = match self.is_total {
            true => (SCHEMA_LIMIT, "the limit for all rules"),
            false => (EXPRESSION_LIMIT, "the limit"),
        };
        format!("{what} (cost {}, {} of {of})", cost_words(self.cost), share(self.cost, limit))
    }
}

/// A title in the form of the second part of another one.
fn with_small_letter(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

fn share(cost: u64, limit: u64) -> String {
    let share = cost as f64 / limit as f64 * 100.0;
    if share < 0.1 { "less than 0.1 %".to_owned() } else { format!("{share:.1} %") }
}

fn bound_on(size: &Size, bound: u64, on: &str) -> String {
    let was = size.bound.map(|own| format!(" (was {own})")).unwrap_or_default();
    format!("`{}: {bound}`{was} {on} `{}`", size.keyword.as_str(), size.place())
}

/// Writes bounds and expressions into a document.
struct Writer<'w, 'd> {
    document: Document<'d>,
    editor: &'w Editor<'d>,
    reader: Reader<'d>,
    /// The schemas and the sizes of their examples, by path: each search needs them again.
    schemas: RefCell<HashMap<FieldPath, Option<yaml::Value<'d>>>>,
    examples: RefCell<HashMap<FieldPath, u64>>,
}

impl<'w, 'd> Writer<'w, 'd> {
    fn new(document: Document<'d>, editor: &'w Editor<'d>) -> Self {
        let (schemas, examples) = (RefCell::default(), RefCell::default());
        Self { document, editor, reader: Reader::new(document), schemas, examples }
    }

    fn schema(&self, size: &Size) -> Option<yaml::Value<'d>> {
        if let Some(known) = self.schemas.borrow().get(&size.path) {
            return *known;
        }
        let found = self.find_schema(size);
        self.schemas.borrow_mut().insert(size.path.clone(), found);
        found
    }

    fn find_schema(&self, size: &Size) -> Option<yaml::Value<'d>> {
        let value = crd::value_at(self.document.root()?, size.path.segments(), &self.reader)?;
        // `items` is a list of one schema, for which a separate fix exists.
        let Some(list) = value.as_sequence() else { return Some(value) };
        let mut schemas = list.items().map(yaml::Item::value);
        let only = schemas.next().filter(|_| schemas.next().is_none())?;
        self.reader.follow(only)
    }

    fn ladders(&self, sizes: &[Size]) -> Vec<Vec<CandidateBound>> {
        sizes.iter().map(|size| ladder(size, self.example(size))).collect()
    }

    /// The edits that replace an expression, limited to the part that differs.
    fn reworded(&self, model: &CostModel, reworded: &CheaperExpression) -> Option<Vec<TextEdit>> {
        let CheaperExpression { number, old, new, .. } = reworded;
        let priced = model.expressions.get(*number)?;
        let same = |(one, other): &(char, char)| one == other;
        let length = |pair: (char, char)| pair.0.len_utf8();
        let front: usize = old.chars().zip(new.chars()).take_while(same).map(length).sum();
        let (rest, new_rest) = (old.get(front..)?, new.get(front..)?);
        let back = rest.chars().rev().zip(new_rest.chars().rev()).take_while(same).map(length);
        let back: usize = back.sum();
        let range = TextRange::new(front as u32, (old.len() - back) as u32);
        let text = new.get(front..new.len() - back)?.to_owned();
        let at = |part| priced.range_of(part).unwrap_or_default();
        changed(self.document, self.editor, priced.range.start, &[(range, text)], at)
    }

    /// The size of the example of a node, which a bound must not reject.
    fn example(&self, size: &Size) -> u64 {
        if let Some(known) = self.examples.borrow().get(&size.path) {
            return *known;
        }
        let of = |key: &str| {
            let entry = self.reader.entry(self.schema(size)?.as_mapping()?, key)?;
            self.reader.follow(entry.value())
        };
        let length = |value: yaml::Value<'_>| match value.kind() {
            yaml::ValueKind::Scalar(scalar) => scalar.text().chars().count(),
            yaml::ValueKind::Sequence(items) => items.items().count(),
            yaml::ValueKind::Mapping(entries) => entries.entries().count(),
            _ => 0,
        };
        let example = of(Keyword::Example.as_str()).map_or(0, |value| length(value) as u64);
        self.examples.borrow_mut().insert(size.path.clone(), example);
        example
    }

    /// The edits that set bounds. A node with an anchor occurs once for each alias, but gets each bound only
    /// once.
    fn bounded(&self, set: &[(Size, u64)]) -> Option<Vec<TextEdit>> {
        let mut editor = self.editor.fresh();
        let mut done = HashSet::new();
        for (size, bound) in set {
            let schema = self.schema(size)?;
            let key = size.keyword.as_str();
            if !done.insert((schema.range(), key)) {
                continue;
            }
            let mapping = schema.as_mapping()?;
            let bound = NewValue::Raw(bound.to_string());
            match self.reader.entry(mapping, key) {
                Some(entry) => editor.replace(entry.value(), bound),
                None => editor.insert(schema, position(mapping, key), NewEntry::new(key, bound)),
            }
        }
        editor.finish().ok()
    }
}

/// The usual position of a bound: alphabetical in generated definitions, otherwise after the type.
fn position<'t>(mapping: yaml::Mapping<'t>, key: &str) -> Position<'t> {
    if is_sorted(mapping) {
        return by_name(mapping, key);
    }
    let is_type = |entry: &yaml::Entry<'t>| entry.key_text().as_deref() == Some("type");
    mapping.entries().find(is_type).map_or(Position::End, Position::After)
}

#[cfg(test)]
mod tests;
