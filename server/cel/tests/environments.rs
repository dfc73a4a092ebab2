//! Which release introduced which feature.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use cel::checker::rule_variables;
use cel::env::library;
use cel::requirement::requirement;
use cel::{Declarations, Environment};
use support::{compile, context, decl, schemas};

fn accepted_by(text: &str, env: Environment) -> bool {
    let declarations = Declarations::new(decl(&schemas()["deep.yaml"], false).unwrap(), "selfType");
    let variables = rule_variables(&declarations, false);
    compile(text, &context(env, &variables, &declarations)).0.is_empty()
}

fn needed(text: &str) -> Option<(String, u8)> {
    let declarations = Declarations::new(decl(&schemas()["deep.yaml"], false).unwrap(), "selfType");
    let variables = rule_variables(&declarations, false);
    let (issues, ast, checked) =
        compile(text, &context(Environment::for_stored_rules(), &variables, &declarations));
    assert!(issues.is_empty(), "{text}: {issues:?}");
    requirement(&ast, &checked).map(|part| (part.description.clone(), part.server()))
}

#[test]
fn requirements_are_the_oldest_server_that_accepts_the_expression() {
    for (text, what, server) in [
        ("self.n < self.d", "_<_", 29),
        ("self.?name.hasValue()", "_?._", 29),
        ("self.name == '%s'.format(['a'])", "format", 30),
        ("isIP(self.name)", "isIP", 31),
        ("self.spec.namespace == 'a'", "field namespace", 32),
        ("self.tags.all(i, t, t != '')", "all", 33),
        ("isSemver(self.name)", "isSemver", 34),
        ("self.tags.sortBy(t, t) == self.tags", "sortBy", 35),
        ("self.tags.includes('a')", "includes", 38),
    ] {
        assert_eq!(needed(text), Some((what.to_owned(), server)), "{text}");
        assert!(accepted_by(text, Environment::for_new_rules(server)), "{text} on 1.{server}");
        assert!(!accepted_by(text, Environment::for_new_rules(server - 1)), "{text} on 1.{}", server - 1);
    }
    assert_eq!(needed("self.tags.all(t, t.matches('^a')) && self.n > 1"), None);
}

#[test]
fn every_overload_belongs_to_a_release() {
    for function in library().functions() {
        for overload in function.overloads() {
            assert!(
                overload.since == 0 || (27..=crd::KubernetesVersion::NEWEST.minor).contains(&overload.since),
                "{}",
                overload.id
            );
        }
    }
}
