//! One expression, compiled and priced as the server does it (`compileRule`).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use cel::ast::{Ast, ExprKind, Function, Operator};
use cel::presence::{PresenceAnalysis, UnguardedRead, reads, unguarded};
use cel::requirement::{Requirement, requirements};
use cel::{CheckedExpr, Context, DeclType, Environment, Estimate, EvalError, Issue, Program, Type, Variable};
use memo::ByInput;

use super::corrections::{CorrectedExpression, corrected};
use super::declare::SchemaType;
use super::messages::{IssueMessage, issue_messages};
use super::presence::is_optional;
use super::types::DeclaredTypes;
use crate::cache::Cache;
use crate::regexp::{self, Engine};

/// The purpose of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// `rule`, a bool.
    Rule,
    /// `messageExpression`, a string.
    Message,
}

/// An expression with everything that its compilation depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expression<'e> {
    pub(crate) text: &'e str,
    pub(crate) purpose: Purpose,
    /// The type of `self`.
    pub(crate) self_type: &'e SchemaType,
    /// Whether `oldSelf` is an optional.
    pub(crate) optional_old_self: bool,
    pub(crate) env: Environment,
}

/// An expression, even an invalid one, with every type that can be determined.
#[derive(Debug)]
pub struct InspectedExpression {
    /// The tree.
    pub ast: cel::ast::Ast,
    /// The types of its nodes, and the type errors.
    pub checked: cel::CheckedExpr,
    /// The syntax errors.
    pub syntax: Vec<Issue>,
    /// The environment: the functions and features that it may use.
    pub env: Environment,
}

/// An expression that was compiled.
#[derive(Debug)]
pub(crate) struct CompiledExpression {
    pub(crate) problem: Option<Problem>,
    /// Whether it is well-typed and refers to `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// The maximum cost of one evaluation, in CEL cost units; 0 if the expression does not compile.
    pub(crate) cost: u64,
    /// The correction of an expression that does not compile, if one is found.
    pub(crate) corrected: Option<CorrectedExpression>,
    /// Whether it is a rule that reads fields that objects may lack, as far as the expression alone shows.
    pub(crate) has_unguarded_reads: bool,
    /// Whether it is a rule that calls a function on a dynamically typed value.
    pub(crate) is_dynamic: bool,
    /// The hash of the expression, by which further answers on it are cached.
    pub(crate) hash: u64,
}

/// An expression that is ready to run.
#[derive(Debug)]
pub(crate) struct Runnable {
    ast: Ast,
    checked: CheckedExpr,
    pub(crate) program: Program,
    pub(crate) uses_old_self: bool,
    /// Whether its result is unknown: it reads values of unknown type, or has a pattern that is not run here.
    pub(crate) is_unsure: bool,
}

/// Why an expression does not compile.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The parser, the checker or the checks of literals find something, in the server's order.
    Issues {
        issues: Vec<Issue>,
        /// The features of newer servers with which the expression compiles; empty if no server compiles it.
        needs: Vec<Requirement>,
        /// The messages for the issues.
        messages: Vec<IssueMessage>,
    },
    /// The expression has this type, not the type that its purpose requires.
    Output(Type),
    /// It is well-typed, but fails when its constants are computed.
    Program { error: EvalError, uses_old_self: bool },
}

impl Runnable {
    pub(crate) fn ast(&self) -> &Ast {
        &self.ast
    }

    pub(crate) fn checked(&self) -> &CheckedExpr {
        &self.checked
    }
}

impl Runnable {
    /// Whether it does more with a dynamically typed value than compare it or iterate over a list of such
    /// values.
    fn uses_unknown(&self) -> bool {
        let selects = self.ast.exprs().any(|(_, expr)| match &expr.kind {
            ExprKind::Select { operand, .. } => self.checked.type_of(*operand).is_dyn(),
            _ => false,
        });
        selects || is_dynamic(&self.ast, &self.checked)
    }
}

impl Expression<'_> {
    /// Compiles the expression and estimates its cost.
    pub(crate) fn compile(&self) -> CompiledExpression {
        let hash = self.hash();
        match self.program(&Engine::of_syntax()) {
            Ok(program) => CompiledExpression {
                problem: None,
                uses_old_self: program.uses_old_self,
                cost: self.cost(&program),
                corrected: None,
                has_unguarded_reads: self.purpose == Purpose::Rule
                    && !self.reads_absent(&program.ast, &program.checked).is_empty(),
                is_dynamic: self.purpose == Purpose::Rule && is_dynamic(&program.ast, &program.checked),
                hash,
            },
            Err(problem) => {
                let uses_old_self = matches!(problem, Problem::Program { uses_old_self: true, .. });
                CompiledExpression {
                    problem: Some(problem),
                    uses_old_self,
                    cost: 0,
                    corrected: corrected(self),
                    has_unguarded_reads: false,
                    is_dynamic: false,
                    hash,
                }
            }
        }
    }

    /// The maximum cost of one evaluation. Operations on values of unknown type have no estimate: the cost is
    /// then 0.
    fn cost(&self, program: &Runnable) -> u64 {
        match self.self_type.is_partial && program.is_unsure && program.uses_unknown() {
            true => 0,
            false => cel::estimate(&program.ast, &program.checked, &self.self_type.decl_type).max,
        }
    }

    /// Whether it refers to `oldSelf`, and its cost; `None` if it does not compile.
    pub(crate) fn priced(&self) -> Option<(bool, u64)> {
        let program = self.program(&Engine::of_syntax()).ok()?;
        Some((program.uses_old_self, self.cost(&program)))
    }

    /// The cost of `text` in place of this expression; `None` if `text` does not compile.
    pub(crate) fn price_of(&self, text: &str) -> Option<u64> {
        Some(Expression { text, ..*self }.priced()?.1)
    }

    /// The declaration of the object type `name`.
    pub(crate) fn declared(&self, name: &str) -> Option<&DeclType> {
        DeclaredTypes::new(&self.self_type.decl_type).declared(name)
    }

    fn reads_absent(&self, ast: &Ast, checked: &CheckedExpr) -> Vec<UnguardedRead> {
        let types = DeclaredTypes::new(&self.self_type.decl_type);
        unguarded((ast, checked), &[], &|owner, field| is_optional(&types, owner, field))
    }

    /// All places where it reads fields that may be absent, as far as the expression alone shows.
    pub(crate) fn reads(&self, inspected: &InspectedExpression) -> PresenceAnalysis {
        let types = DeclaredTypes::new(&self.self_type.decl_type);
        let is_optional = |owner: &str, field: &str| is_optional(&types, owner, field);
        reads((&inspected.ast, &inspected.checked), &[], &is_optional)
    }

    /// The unguarded reads of fields that may be absent, as far as the expression alone shows.
    pub(crate) fn unguarded(&self) -> Vec<UnguardedRead> {
        let inspected = self.inspect();
        self.reads_absent(&inspected.ast, &inspected.checked)
    }

    /// Makes the expression ready to run.
    ///
    /// # Errors
    /// Why the server rejects it.
    pub(crate) fn program(&self, engine: &Engine) -> Result<Runnable, Problem> {
        let wanted = match self.purpose {
            Purpose::Rule => Type::Bool,
            Purpose::Message => Type::String,
        };
        self.program_of(Some(&wanted), engine)
    }

    /// Makes an expression of any type ready to run, for a user who wants to see its value.
    ///
    /// # Errors
    /// Why it does not compile.
    pub(crate) fn program_of_any(&self, engine: &Engine) -> Result<Runnable, Problem> {
        self.program_of(None, engine)
    }

    fn program_of(&self, wanted: Option<&Type>, engine: &Engine) -> Result<Runnable, Problem> {
        let types = DeclaredTypes::new(&self.self_type.decl_type);
        let variables = self.variables(&types);
        let context = self.context(&types, &variables, self.env);
        let (ast, mut issues) = cel::parse(self.text, self.env.parse_options());
        let mut checked = cel::check(&ast, &context);
        // The server does not check the types of an expression that it cannot parse.
        if issues.is_empty() {
            issues = std::mem::take(&mut checked.issues);
        }
        if !issues.is_empty() {
            let needs = self.needs(&types, &variables);
            let inspected = InspectedExpression { ast, checked, syntax: Vec::new(), env: self.env };
            let messages = issue_messages(self, &inspected, &issues);
            return Err(Problem::Issues { issues, needs, messages });
        }
        let output = checked.type_of(ast.root());
        let is_unsure = self.self_type.is_partial && reads_unknown(&ast, &checked, &types);
        if wanted.is_some_and(|wanted| output != wanted) && !(is_unsure && *output == Type::Dyn) {
            return Err(Problem::Output(output.clone()));
        }
        let uses_old_self = checked.uses(&ast, "oldSelf");
        let program = Program::new(&ast, &checked, &variables, engine)
            .map_err(|error| Problem::Program { error, uses_old_self })?;
        Ok(Runnable { ast, checked, program, uses_old_self, is_unsure: is_unsure || engine.is_unsure() })
    }

    /// The tree and the types, even of an incomplete expression.
    pub(crate) fn inspect(&self) -> InspectedExpression {
        let types = DeclaredTypes::new(&self.self_type.decl_type);
        let variables = self.variables(&types);
        let (ast, syntax) = cel::parse(self.text, self.env.parse_options());
        let checked = cel::check(&ast, &self.context(&types, &variables, self.env));
        InspectedExpression { ast, checked, syntax, env: self.env }
    }

    /// The sizes in the schema that its cost depends on.
    pub(crate) fn explain(&self) -> Estimate {
        let types = DeclaredTypes::new(&self.self_type.decl_type);
        let variables = self.variables(&types);
        let (ast, _) = cel::parse(self.text, self.env.parse_options());
        let checked = cel::check(&ast, &self.context(&types, &variables, self.env));
        cel::explain(&ast, &checked, &self.self_type.decl_type)
    }

    /// The features that not all servers have, if the newest server would compile the expression.
    fn needs(&self, types: &DeclaredTypes<'_>, variables: &[Variable]) -> Vec<Requirement> {
        let all = Environment::for_stored_rules();
        if self.env == all {
            return Vec::new();
        }
        let (ast, issues) = cel::parse(self.text, all.parse_options());
        if !issues.is_empty() {
            return Vec::new();
        }
        let checked = cel::check(&ast, &self.context(types, variables, all));
        if checked.issues.is_empty() { requirements(&ast, &checked).collect() } else { Vec::new() }
    }

    fn variables(&self, types: &DeclaredTypes<'_>) -> [Variable; 2] {
        let of = types.root_type();
        let old = if self.optional_old_self { Type::optional(of.clone()) } else { of.clone() };
        [
            Variable { name: "self".to_owned(), variable_type: of },
            Variable { name: "oldSelf".to_owned(), variable_type: old },
        ]
    }

    fn context<'c>(
        &self,
        types: &'c DeclaredTypes<'_>,
        variables: &'c [Variable],
        env: Environment,
    ) -> Context<'c> {
        Context { env, variables, provider: types, regex_is_valid: |pattern| regexp::parse(pattern).is_ok() }
    }

    /// A hash of everything that its compilation depends on.
    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.text, self.purpose, self.self_type.fingerprint, self.optional_old_self, self.env)
            .hash(&mut hasher);
        hasher.finish()
    }
}

/// Whether a function or an operator that not all types support is called on a dynamically typed value.
fn is_dynamic(ast: &Ast, checked: &CheckedExpr) -> bool {
    ast.exprs().any(|(_, expr)| {
        let ExprKind::Call { function, target, args } = &expr.kind else { return false };
        let takes_all = match function {
            Function::Operator(operator) => {
                use Operator as O;
                matches!(operator, O::Equals | O::NotEquals | O::In | O::And | O::Or | O::NotStrictlyFalse)
            }
            Function::Named(name) => matches!(ast.name(*name), "type" | "dyn"),
        };
        !takes_all && target.iter().chain(ast.list(*args)).any(|part| checked.type_of(*part).is_dyn())
    })
}

/// Whether an expression reads a value of unknown type.
fn reads_unknown(ast: &Ast, checked: &CheckedExpr, types: &DeclaredTypes<'_>) -> bool {
    ast.exprs().any(|(_, expr)| match &expr.kind {
        ExprKind::Select { operand, field, .. } => match checked.type_of(*operand) {
            Type::Object(name) => types.declared(name).is_some_and(|of| match of.field(ast.name(*field)) {
                Some(field) => field.field_type.leads_to_unknown(),
                None => of.is_open(),
            }),
            _ => false,
        },
        ExprKind::Ident(name) if matches!(ast.name(*name), "self" | "oldSelf") => types.leads_to_unknown(),
        _ => false,
    })
}

/// Compiled expressions by their hashes.
type CompiledExpressions = ByInput<(Box<str>, Arc<CompiledExpression>)>;

impl Cache {
    /// Compiles `expression`, or returns the cached result.
    pub(crate) fn compile(&mut self, expression: &Expression<'_>) -> Arc<CompiledExpression> {
        let question = expression.hash();
        if let Some((text, compiled)) = self.table::<CompiledExpressions>().get(question)
            && **text == *expression.text
        {
            return Arc::clone(compiled);
        }
        self.count_computed();
        let compiled = Arc::new(expression.compile());
        let answer = (Box::from(expression.text), Arc::clone(&compiled));
        self.table::<CompiledExpressions>().insert(question, answer);
        compiled
    }
}
