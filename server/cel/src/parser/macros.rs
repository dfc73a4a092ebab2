//! Macros: calls that expand to loops. `crate::macros` declares them.

use text::{TextRange, TextSize};

use super::grammar::Operand;
use super::recognizer::Parser;
use crate::ast::{Comprehension, Entry, ExprId, ExprKind, Function, Literal, MacroCall, Name, Operator};
use crate::issue::{BEFORE_TEXT, IssueCode};
use crate::macros::{Expansion, Loop, MACROS, MacroReceiver};
use crate::token::Token;

/// The accumulator of the loops; no expression can use the name.
pub const ACCUMULATOR: &str = "@result";
/// The accumulator of older releases; no variable may shadow it.
const OLD_ACCUMULATOR: &str = "__result__";
/// The variable of loops that only bind a variable; their range is empty.
const UNUSED: &str = "#unused";
const SORT_BY_INPUT: &str = "@__sortBy_input__";

/// The maximum number of nodes of a tree. `optMap` copies its receiver, so each link of a chain doubles the tree.
const MAX_NODES: usize = 500_000;

/// The reason why a macro cannot be expanded, and the node that causes it.
struct Refusal {
    code: IssueCode,
    at: ExprId,
    message: String,
}

fn refuse<T>(at: ExprId, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code: IssueCode::Macro, at, message: message.into() })
}

impl Parser<'_> {
    /// A call, or the expansion of the macro with that name and number of arguments.
    pub(super) fn call(
        &mut self,
        name_range: TextRange,
        name: &str,
        paren: Token,
        target: Option<Operand>,
        args: &[Operand],
        start: TextSize,
    ) -> Operand {
        let range = self.range_from(start);
        let anchor = paren.range.start;
        let depth = args.iter().chain(&target).map(|operand| operand.depth).max().unwrap_or(0);
        let ids: Vec<_> = args.iter().map(|arg| arg.id).collect();
        let target = target.map(|target| target.id);
        let list = self.ast.push_list(&ids);
        let function = self.ast.intern(name);
        let expansion = self.macro_named(name, ids.len(), target.is_some()).map(|found| {
            let mut maker = ExpansionBuilder { parser: self, range, anchor };
            maker.expand(found, target, &ids)
        });
        let id = match expansion {
            None => {
                let kind = ExprKind::Call { function: Function::Named(function), target, args: list };
                self.ast.push(kind, range, anchor)
            }
            Some(Ok(expansion)) => {
                self.ast.macros.push(MacroCall { expansion, name: function, name_range, target, args: list });
                expansion
            }
            Some(Err(refusal)) => {
                let blamed = self.ast.expr(refusal.at);
                let (range_of, at) = (blamed.range, blamed.anchor);
                let is_unplaced = self.unplaced.contains(&refusal.at);
                self.issue(refusal.code, range_of, refusal.message);
                if let Some(issue) = self.issues.last_mut() {
                    issue.anchor = Some(if is_unplaced { BEFORE_TEXT } else { at });
                }
                let id = self.ast.push(ExprKind::Error, range, at);
                if is_unplaced {
                    self.unplaced.push(id);
                }
                id
            }
        };
        Operand { id, start, depth }
    }

    fn macro_named(&self, name: &str, args: usize, receiver: bool) -> Option<Expansion> {
        let found = MACROS.iter().find(|one| {
            one.params.len() == args
                && (one.receiver != MacroReceiver::None) == receiver
                && one.name == name
                && one.needs.is_none_or(|feature| self.options.knows(feature))
        });
        found.map(|found| found.expansion)
    }
}

/// The variables of a loop.
#[derive(Clone, Copy)]
struct Variables {
    first: Name,
    second: Option<Name>,
}

/// Creates the nodes of one expansion, all with the range of the macro call.
struct ExpansionBuilder<'p, 'a> {
    parser: &'p mut Parser<'a>,
    range: TextRange,
    anchor: TextSize,
}

impl ExpansionBuilder<'_, '_> {
    fn expand(
        &mut self,
        which: Expansion,
        target: Option<ExprId>,
        args: &[ExprId],
    ) -> Result<ExprId, Refusal> {
        match (which, target, args) {
            (Expansion::Has, _, &[arg]) => self.has(arg),
            (Expansion::OptMap | Expansion::OptFlatMap, Some(target), &[variable, body]) => {
                self.opt_map(which, target, variable, body)
            }
            (Expansion::SortBy, Some(target), &[variable, key]) => self.sort_by(target, variable, key),
            (Expansion::Loop(which), Some(target), args) => self.comprehension_over(which, target, args),
            _ => refuse(target.or(args.first().copied()).unwrap_or(ExprId::FIRST), "invalid macro call"),
        }
    }

    fn comprehension_over(
        &mut self,
        which: Loop,
        target: ExprId,
        args: &[ExprId],
    ) -> Result<ExprId, Refusal> {
        let message = match which {
            Loop::Map | Loop::Filter => "argument is not an identifier",
            Loop::All
            | Loop::Exists
            | Loop::ExistsOne
            | Loop::TransformList
            | Loop::TransformMap
            | Loop::TransformMapEntry => "argument must be a simple name",
        };
        let (variables, element, filter, body) = match (which, args) {
            (_, &[variable, body]) => (self.one_variable(variable, message)?, variable, None, body),
            (Loop::Map, &[variable, filter, body]) => {
                (self.one_variable(variable, message)?, variable, Some(filter), body)
            }
            (_, &[first, second, body]) => (self.two_variables(first, second)?, first, None, body),
            (_, &[first, second, filter, body]) => {
                (self.two_variables(first, second)?, first, Some(filter), body)
            }
            _ => return refuse(target, "invalid macro call"),
        };
        Ok(self.comprehension(which, target, variables, element, filter, body))
    }

    /// cel-go treats `a.` without a field as `a`.
    fn without_empty_select(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Select { operand, field, .. } = self.parser.ast.kind(id)
            && self.parser.ast.name(*field).is_empty()
        {
            id = *operand;
        }
        id
    }

    fn has(&mut self, arg: ExprId) -> Result<ExprId, Refusal> {
        let arg = self.without_empty_select(arg);
        match *self.parser.ast.kind(arg) {
            ExprKind::Select { operand, field, field_range, .. } => {
                Ok(self.push(ExprKind::Select { operand, field, field_range, test_only: true }))
            }
            _ => refuse(arg, "invalid argument to has() macro"),
        }
    }

    fn variable(&self, arg: ExprId, message: &str) -> Result<Name, Refusal> {
        let arg = self.without_empty_select(arg);
        match *self.parser.ast.kind(arg) {
            ExprKind::Ident(name) => Ok(name),
            _ => refuse(arg, message),
        }
    }

    fn not_accumulator(&self, name: Name, arg: ExprId) -> Result<(), Refusal> {
        match self.parser.ast.name(name) {
            ACCUMULATOR | OLD_ACCUMULATOR => {
                refuse(arg, "iteration variable overwrites accumulator variable")
            }
            _ => Ok(()),
        }
    }

    fn one_variable(&self, variable: ExprId, message: &str) -> Result<Variables, Refusal> {
        let first = self.variable(variable, message)?;
        self.not_accumulator(first, variable)?;
        Ok(Variables { first, second: None })
    }

    fn two_variables(&self, first: ExprId, second: ExprId) -> Result<Variables, Refusal> {
        let simple = "argument must be a simple name";
        let (first, second) = (self.without_empty_select(first), self.without_empty_select(second));
        let (one, two) = (self.variable(first, simple)?, self.variable(second, simple)?);
        if one == two {
            return refuse(second, format!("duplicate variable name: {}", self.parser.ast.name(one)));
        }
        self.not_accumulator(one, first)?;
        self.not_accumulator(two, second)?;
        Ok(Variables { first: one, second: Some(two) })
    }

    /// The loops of all macros over lists and maps. `element` is the node of the variable, which `filter` collects.
    fn comprehension(
        &mut self,
        which: Loop,
        range: ExprId,
        variables: Variables,
        element: ExprId,
        filter: Option<ExprId>,
        body: ExprId,
    ) -> ExprId {
        let accu_init = self.initial_value(which);
        let condition = self.loop_condition(which);
        let next = self.next_value(which, variables, element, body);
        let filter = match which {
            Loop::ExistsOne | Loop::Filter => Some(body),
            _ => filter,
        };
        let step = match filter {
            Some(filter) => {
                let accu = self.accu();
                self.operator(Operator::Conditional, &[filter, next, accu])
            }
            None => next,
        };
        let result = self.loop_result(which);
        let accu_var = self.parser.ast.intern(ACCUMULATOR);
        self.push(ExprKind::Comprehension(Box::new(Comprehension {
            range,
            iter_var: variables.first,
            iter_var2: variables.second,
            accu_var,
            accu_init,
            condition,
            step,
            result,
        })))
    }

    /// The value of the accumulator before the first element.
    fn initial_value(&mut self, which: Loop) -> ExprId {
        match which {
            Loop::All => self.literal(Literal::Bool(true)),
            Loop::Exists => self.literal(Literal::Bool(false)),
            Loop::ExistsOne => self.literal(Literal::Int(0)),
            Loop::TransformMap | Loop::TransformMapEntry => self.push(ExprKind::Map(Default::default())),
            Loop::Map | Loop::Filter | Loop::TransformList => self.list(&[]),
        }
    }

    /// Whether the loop continues: `all` and `exists` end with the element that decides.
    fn loop_condition(&mut self, which: Loop) -> ExprId {
        match which {
            Loop::All => {
                let accu = self.accu();
                self.operator(Operator::NotStrictlyFalse, &[accu])
            }
            Loop::Exists => {
                let accu = self.accu();
                let not = self.operator(Operator::Not, &[accu]);
                self.operator(Operator::NotStrictlyFalse, &[not])
            }
            Loop::ExistsOne
            | Loop::Map
            | Loop::Filter
            | Loop::TransformList
            | Loop::TransformMap
            | Loop::TransformMapEntry => self.literal(Literal::Bool(true)),
        }
    }

    /// The value of the accumulator after an element that the filter admits.
    fn next_value(&mut self, which: Loop, variables: Variables, element: ExprId, body: ExprId) -> ExprId {
        let accu = self.accu();
        match which {
            Loop::All => self.operator(Operator::And, &[accu, body]),
            Loop::Exists => self.operator(Operator::Or, &[accu, body]),
            Loop::ExistsOne => {
                let one = self.literal(Literal::Int(1));
                self.operator(Operator::Add, &[accu, one])
            }
            Loop::Filter => self.appended(accu, element),
            Loop::TransformMap => {
                let key = self.push(ExprKind::Ident(variables.first));
                self.call_named("cel.@mapInsert", None, &[accu, key, body])
            }
            Loop::TransformMapEntry => self.call_named("cel.@mapInsert", None, &[accu, body]),
            Loop::Map | Loop::TransformList => self.appended(accu, body),
        }
    }

    /// The value of the macro: the accumulator, or whether it counted exactly one element.
    fn loop_result(&mut self, which: Loop) -> ExprId {
        let accu = self.accu();
        if which != Loop::ExistsOne {
            return accu;
        }
        let one = self.literal(Literal::Int(1));
        self.operator(Operator::Equals, &[accu, one])
    }

    fn opt_map(
        &mut self,
        which: Expansion,
        target: ExprId,
        variable: ExprId,
        body: ExprId,
    ) -> Result<ExprId, Refusal> {
        let name = if which == Expansion::OptMap { "optMap" } else { "optFlatMap" };
        let accu_var =
            self.variable(variable, &format!("{name}() variable name must be a simple identifier"))?;
        let has_value = self.call_named("hasValue", Some(target), &[]);
        let copy = self.copy(target)?;
        let value = self.call_named("value", Some(copy), &[]);
        let step = self.push(ExprKind::Ident(accu_var));
        let bound = self.bind(accu_var, value, step, body);
        let bound =
            if which == Expansion::OptMap { self.call_named("optional.of", None, &[bound]) } else { bound };
        let none = self.call_named("optional.none", None, &[]);
        Ok(self.operator(Operator::Conditional, &[has_value, bound, none]))
    }

    fn sort_by(&mut self, target: ExprId, variable: ExprId, key: ExprId) -> Result<ExprId, Refusal> {
        if !matches!(
            self.parser.ast.kind(target),
            ExprKind::List { .. }
                | ExprKind::Select { .. }
                | ExprKind::Ident(_)
                | ExprKind::Comprehension(_)
                | ExprKind::Call { .. }
        ) {
            let message =
                "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
            return refuse(target, message);
        }
        let variables = self.one_variable(variable, "argument is not an identifier")?;
        let input = self.parser.ast.intern(SORT_BY_INPUT);
        let step = self.push(ExprKind::Ident(input));
        let range = self.push(ExprKind::Ident(input));
        let keys = self.comprehension(Loop::Map, range, variables, variable, None, key);
        let receiver = self.push(ExprKind::Ident(input));
        let sorted = self.call_named("@sortByAssociatedKeys", Some(receiver), &[keys]);
        Ok(self.bind(input, target, step, sorted))
    }

    /// A loop without iterations, which evaluates `result` with `variable` bound to `value`.
    fn bind(&mut self, variable: Name, value: ExprId, step: ExprId, result: ExprId) -> ExprId {
        let range = self.list(&[]);
        let condition = self.literal(Literal::Bool(false));
        let iter_var = self.parser.ast.intern(UNUSED);
        self.push(ExprKind::Comprehension(Box::new(Comprehension {
            range,
            iter_var,
            iter_var2: None,
            accu_var: variable,
            accu_init: value,
            condition,
            step,
            result,
        })))
    }

    // ---- nodes

    fn push(&mut self, kind: ExprKind) -> ExprId {
        self.parser.ast.push(kind, self.range, self.anchor)
    }

    fn literal(&mut self, value: Literal) -> ExprId {
        self.push(ExprKind::Literal(value))
    }

    fn accu(&mut self) -> ExprId {
        let name = self.parser.ast.intern(ACCUMULATOR);
        self.push(ExprKind::Ident(name))
    }

    fn list(&mut self, elements: &[ExprId]) -> ExprId {
        let elements = self.parser.ast.push_list(elements);
        self.push(ExprKind::List { elements, optional: Default::default() })
    }

    fn appended(&mut self, accu: ExprId, element: ExprId) -> ExprId {
        let list = self.list(&[element]);
        self.operator(Operator::Add, &[accu, list])
    }

    fn operator(&mut self, operator: Operator, args: &[ExprId]) -> ExprId {
        let args = self.parser.ast.push_list(args);
        self.push(ExprKind::Call { function: Function::Operator(operator), target: None, args })
    }

    fn call_named(&mut self, name: &str, target: Option<ExprId>, args: &[ExprId]) -> ExprId {
        let function = Function::Named(self.parser.ast.intern(name));
        let args = self.parser.ast.push_list(args);
        self.push(ExprKind::Call { function, target, args })
    }

    /// A copy of `id` and all nodes below it, with the same ranges.
    fn copy(&mut self, id: ExprId) -> Result<ExprId, Refusal> {
        if self.parser.ast.len() > MAX_NODES {
            self.parser.give_up_macros();
            let message = "the expression grows too large when its macros are expanded".to_owned();
            return Err(Refusal { code: IssueCode::TooLarge, at: id, message });
        }
        let expr = self.parser.ast.expr(id);
        let (range, anchor) = (expr.range, expr.anchor);
        let kind = match expr.kind.clone() {
            ExprKind::Select { operand, field, field_range, test_only } => {
                ExprKind::Select { operand: self.copy(operand)?, field, field_range, test_only }
            }
            ExprKind::Call { function, target, args } => {
                let ids = self.parser.ast.list(args).to_vec();
                let args = self.copy_all(ids)?;
                let target = target.map(|target| self.copy(target)).transpose()?;
                ExprKind::Call { function, target, args }
            }
            ExprKind::List { elements, optional } => {
                let ids = self.parser.ast.list(elements).to_vec();
                ExprKind::List { elements: self.copy_all(ids)?, optional }
            }
            ExprKind::Map(entries) => ExprKind::Map(self.copy_entries(entries)?),
            ExprKind::Struct { type_name, fields } => {
                ExprKind::Struct { type_name, fields: self.copy_entries(fields)? }
            }
            ExprKind::Comprehension(comprehension) => ExprKind::Comprehension(Box::new(Comprehension {
                range: self.copy(comprehension.range)?,
                accu_init: self.copy(comprehension.accu_init)?,
                condition: self.copy(comprehension.condition)?,
                step: self.copy(comprehension.step)?,
                result: self.copy(comprehension.result)?,
                ..*comprehension
            })),
            leaf => leaf,
        };
        Ok(self.parser.ast.push(kind, range, anchor))
    }

    fn copy_all(&mut self, ids: Vec<ExprId>) -> Result<crate::ast::ExprList, Refusal> {
        let copies = ids.into_iter().map(|id| self.copy(id)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.parser.ast.push_list(&copies))
    }

    fn copy_entries(&mut self, list: crate::ast::EntryList) -> Result<crate::ast::EntryList, Refusal> {
        let entries = self.parser.ast.entries(list).to_vec();
        let mut copies = Vec::with_capacity(entries.len());
        for entry in entries {
            let key = match entry.key {
                crate::ast::EntryKey::Expr(key) => crate::ast::EntryKey::Expr(self.copy(key)?),
                field => field,
            };
            copies.push(Entry { key, value: self.copy(entry.value)?, anchor: self.anchor, ..entry });
        }
        Ok(self.parser.ast.push_entries(&copies))
    }
}
