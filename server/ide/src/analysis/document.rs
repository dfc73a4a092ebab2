//! The findings of one document.

mod faulty_text;

use api::Code;
use crd::{Completeness, DocumentKind, DocumentReport, Message, Options, StopSignal};
use text::TextRange;
use yaml::Document;

use crate::analysis::caches::Caches;
use crate::analysis::cel;
use crate::analysis::ignore::Ignores;
use crate::analysis::json::NonJsonToken;
use crate::analysis::patch::is_known_patch;
use crate::analysis::readings::ScalarReading;
use crate::analysis::test_files::is_named_as_assertion;
use crate::analysis::unidentified::UnidentifiedObject;
use crate::analysis::validation_coverage::{self, UnvalidatedReason, ValidationCoverage};
use crate::analysis::{
    consequences, divided_definition, duplicates, foreign_line, misspelt_name, misspelt_property, readings,
    resources, second_item, stray_sign, syntax, unnamed_schema,
};
use crate::{Finding, Settings, Severity, Surroundings};
use faulty_text::{analyse_repaired, analyse_unidentified};

/// The code for further findings that are not listed.
pub(crate) const TOO_MANY: Code = Code::FileTooMany;

/// The findings of a document, and the coverage of its validation.
#[derive(Default)]
pub(crate) struct DocumentFindings {
    /// By range, then code.
    pub(crate) findings: Vec<Finding>,
    /// Whether its definitions are compared with other definitions.
    pub(crate) is_compared: bool,
    /// What was validated. Rules are not counted: counting takes a walk, and few callers need it.
    pub(crate) validation_coverage: ValidationCoverage,
}

impl DocumentFindings {
    /// No findings; the objects of `document` are not validated for that reason.
    fn none(document: Document<'_>, reason: UnvalidatedReason) -> Self {
        Self { validation_coverage: validation_coverage::all_not_judged(document, reason), ..Self::default() }
    }
}

/// All findings of `document`, by range, then code. Documents that crd-ls does not check, and templates, which are
/// not YAML yet, have none.
pub(crate) fn analyse(
    document: Document<'_>,
    settings: &Settings,
    surroundings: &Surroundings,
    caches: &mut Caches,
) -> DocumentFindings {
    caches.sweep();
    if settings.in_test.is_compared || is_named_as_assertion(&surroundings.source) {
        return DocumentFindings::none(document, UnvalidatedReason::Test);
    }
    if let Some(found) = analyse_repaired(document, settings, surroundings, caches) {
        return found;
    }
    let options =
        Options { is_patch: is_known_patch(document, settings, surroundings), ..settings.options() };
    let report = match &surroundings.stored {
        Some(stored) => stored.check(document, &options, &mut caches.crd),
        None => crd::check(document, &options, &mut caches.crd),
    };
    let stop = caches.crd.stop().clone();
    // The findings would be discarded.
    if stop.is_due() {
        return DocumentFindings::default();
    }
    if report.origin == Completeness::Template {
        return DocumentFindings::none(document, UnvalidatedReason::Template);
    }
    let (defines, origin) = (report.kind != DocumentKind::Other, report.origin);
    let mut coverage;
    let mut is_cut = report.truncated;
    let mut findings = if defines {
        coverage = validation_coverage::of_definitions(document, report.origin);
        let output = (&mut coverage, &mut is_cut);
        findings_of_definitions(document, report, settings, surroundings, caches, output)
    } else {
        match resources::findings(document, surroundings, settings, &stop) {
            Ok((listed, of_resources)) => {
                coverage = of_resources;
                is_cut |= listed.is_cut;
                listed.findings
            }
            Err(coverage) => {
                let unidentified = if options.is_patch { None } else { unidentified(document, surroundings) };
                let Some(unidentified) = unidentified else {
                    let findings = findings_without_object(document, settings, options.is_patch);
                    return DocumentFindings {
                        findings,
                        validation_coverage: coverage,
                        ..DocumentFindings::default()
                    };
                };
                return analyse_unidentified(
                    document,
                    &unidentified,
                    settings,
                    surroundings,
                    coverage,
                    caches,
                );
            }
        }
    };
    if !defines {
        findings.truncate(resources::MOST);
    }
    is_cut |= add_yaml_findings(document, defines.then_some(origin), settings, caches, &mut findings);
    if settings.syntax_errors {
        let mut of_json: Vec<Finding> =
            NonJsonToken::all(document, surroundings).iter().map(NonJsonToken::finding).collect();
        of_json.retain(|token| !findings.iter().any(|finding| token.range.contains_range(finding.range)));
        findings.append(&mut of_json);
    }
    if is_cut {
        findings.push(too_many(document));
    }
    explain(document, defines, &mut findings);
    if !findings.is_empty() {
        let mut ignores = Ignores::of(document);
        findings.retain_mut(|finding| settings.rules.admit(finding) && !ignores.silences(finding));
        readings::merge_rejected_defaults(&mut findings);
    }
    findings.sort_by_key(|finding| (finding.range, finding.code));
    findings.iter_mut().for_each(Finding::cut);
    DocumentFindings { findings, is_compared: defines, validation_coverage: coverage }
}

/// The findings on a document without objects: it is not YAML, or a `---` divides it from the definition above.
fn findings_without_object(document: Document<'_>, settings: &Settings, is_patch: bool) -> Vec<Finding> {
    let foreign = settings.syntax_errors.then(|| foreign_line::whole_document(document));
    let mut findings: Vec<Finding> = foreign.flatten().into_iter().collect();
    if !is_patch {
        let mut divided = divided_definition::finding(document);
        let mut ignores = Ignores::of(document);
        divided.take_if(|one| !settings.rules.admit(one) || ignores.silences(one));
        findings.extend(divided);
    }
    findings
}

/// Adds the findings on the syntax of `document`, and on scalars that are read differently than they appear; `defines`
/// is the completeness of definitions. Each kind has its own limit. Returns whether there are more.
fn add_yaml_findings(
    document: Document<'_>,
    defines: Option<Completeness>,
    settings: &Settings,
    caches: &mut Caches,
    findings: &mut Vec<Finding>,
) -> bool {
    let syntax = syntax::findings(document, settings.syntax_errors);
    let mut is_cut = syntax.len() >= syntax::MOST;
    findings.extend(syntax);
    let (mut duplicates, mut signs) = (Vec::new(), Vec::new());
    if settings.syntax_errors {
        duplicates = self::duplicates(document, caches);
        stray_sign::findings(document.syntax(), &mut signs);
    }
    if defines.is_none() {
        duplicates.iter_mut().for_each(|finding| finding.severity = settings.field_validation.severity());
    }
    let readings = defines.map(|origin| readings(document, origin, caches)).unwrap_or_default();
    for mut of_yaml in [duplicates, signs, readings] {
        is_cut |= of_yaml.len() > syntax::MOST;
        of_yaml.truncate(syntax::MOST);
        findings.extend(of_yaml);
    }
    is_cut
}

/// Explains findings by the slips that cause them, and removes the consequences of other findings.
fn explain(document: Document<'_>, defines: bool, findings: &mut Vec<Finding>) {
    cel::misread_rule::explain(document, findings);
    if defines {
        unnamed_schema::explain(document, findings);
        misspelt_property::report(document, findings);
        misspelt_name::report(document, findings);
        consequences::remove_unset_keywords(document, findings);
    }
    second_item::explain(document, findings);
    foreign_line::explain(document, findings);
    stray_sign::remove_repeated(findings);
    consequences::remove_consequences(document, findings);
}

/// The findings on definitions, with those of other definitions, of the base and on resources beside them. Adds these
/// resources to `coverage`, and sets `is_cut` if there are further findings.
fn findings_of_definitions(
    document: Document<'_>,
    report: DocumentReport,
    settings: &Settings,
    surroundings: &Surroundings,
    caches: &mut Caches,
    (coverage, is_cut): (&mut ValidationCoverage, &mut bool),
) -> Vec<Finding> {
    let stop = caches.crd.stop().clone();
    let rivals = resources::rivals(document, surroundings, settings, caches.table());
    let base = surroundings.base.as_ref().filter(|_| report.origin == Completeness::Whole);
    let broken = base.map(|base| base.findings(document, &mut caches.crd)).unwrap_or_default();
    let tried =
        crd::experimental::check(document, settings.experiments, &settings.options(), &mut caches.crd);
    let findings = report.findings.into_iter().filter(|found| !settings.experiments.explain(found));
    let mut findings: Vec<Finding> = findings.chain(tried).chain(rivals).chain(broken).collect();
    if report.origin == Completeness::Whole && may_hold_items(document) {
        let beside = findings_beside_definitions(document, settings, surroundings, &stop, coverage);
        *is_cut |= beside.is_cut;
        findings.extend(beside.findings);
    }
    if let Some((range, form)) = validation_coverage::silence(document, &mut findings) {
        coverage.add_placeholder(document, range, form);
    }
    findings
}

/// Whether `document` may be a list. Definitions are checked on each keystroke and have no resources.
fn may_hold_items(document: Document<'_>) -> bool {
    let is_about_items =
        |entry: yaml::Entry<'_>| entry.key_text().is_some_and(|key| key == "items" || key == "<<");
    document.root().and_then(yaml::Value::as_mapping).is_some_and(|root| root.entries().any(is_about_items))
}

/// The findings on resources in a list that also has definitions.
fn findings_beside_definitions(
    document: Document<'_>,
    settings: &Settings,
    surroundings: &Surroundings,
    stop: &StopSignal,
    coverage: &mut ValidationCoverage,
) -> resources::ResourceFindings {
    let (mut listed, of_resources) = match resources::findings(document, surroundings, settings, stop) {
        Ok(found) => found,
        Err(coverage) => (resources::ResourceFindings::default(), coverage),
    };
    coverage.add(&of_resources, 0);
    listed.findings.truncate(resources::MOST);
    listed
}

fn unidentified<'t>(document: Document<'t>, surroundings: &Surroundings) -> Option<UnidentifiedObject<'t>> {
    UnidentifiedObject::of(document, &surroundings.catalog, &surroundings.source)
}

/// Duplicate keys.
fn duplicates(document: Document<'_>, caches: &mut Caches) -> Vec<Finding> {
    let mut findings = Vec::new();
    caches.table::<duplicates::DuplicateKeys>().findings(document.syntax(), &mut findings);
    if let Some(first) = findings.first_mut() {
        // The server reports them all in one text.
        first.api_server = crd::duplicate_keys_error(document);
    }
    findings
}

/// Values that the server reads differently than they appear.
fn readings(document: Document<'_>, origin: Completeness, caches: &mut Caches) -> Vec<Finding> {
    if origin != Completeness::Whole {
        return Vec::new();
    }

    caches
        .table::<readings::KnownReadings>()
        .readings(document)
        .into_iter()
        .map(ScalarReading::into_finding)
        .collect()
}

fn too_many(document: Document<'_>) -> Finding {
    let start = document.root().map_or(document.range().start, |root| root.range().start);
    Finding::of_text(
        TOO_MANY,
        Severity::Information,
        TextRange::empty(start),
        Message::new("this document has more findings than the list shows")
            .advise("correct the listed ones first"),
    )
}

#[cfg(test)]
mod tests {
    use crate::analysis::document::*;

    fn codes(below_spec: &str) -> Vec<&'static str> {
        codes_with(&Settings::default(), below_spec)
    }

    fn codes_with(settings: &Settings, below_spec: &str) -> Vec<&'static str> {
        // The missing fields of a patch do not matter here.
        let text = format!(
            "# crd-ls: patch\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n{below_spec}"
        );
        let tree = yaml::Tree::parse(&text);
        let mut caches = Caches::default();
        let findings = tree
            .documents()
            .flat_map(|document| analyse(document, settings, &Surroundings::default(), &mut caches).findings);
        findings.map(|finding| finding.code.as_str()).collect()
    }

    #[test]
    fn an_incomplete_key_is_not_an_unknown_field() {
        assert_eq!(codes("  group: b\n  a\n"), ["yaml/syntax"]);
    }

    #[test]
    fn unlisted_findings_are_reported() {
        let codes = codes(&"  a: 1\n".repeat(50_000));
        assert_eq!(codes.iter().filter(|code| **code == "yaml/duplicate-key").count(), syntax::MOST);
        assert!(codes.contains(&"file/too-many"));
    }

    /// Errors that other YAML tools accept silently are reported in any case.
    #[test]
    fn syntax_errors_of_every_yaml_tool_can_be_disabled() {
        let silent = Settings { syntax_errors: false, ..Settings::default() };
        for (text, reported) in [
            ("  a: 1\n  a: 2\n", "yaml/duplicate-key"),
            ("  a: [1\n", "yaml/unclosed"),
            ("  a: *nowhere\n", "yaml/alias"),
        ] {
            assert_eq!(codes(text), [reported], "{text}");
            assert_eq!(codes_with(&silent, text), Vec::<&str>::new(), "{text}");
        }
        let within_itself = "  a: &a\n    b: *a\n";
        assert_eq!(codes_with(&silent, within_itself), codes(within_itself));
        assert_eq!(codes(within_itself), ["yaml/alias"]);
    }

    const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          a: {type: array, items: {type: string, enum: [ENUM]}}
          b: {type: array, items: {type: integer}}
";

    /// The codes of the findings on a resource of that definition, with these lines.
    fn codes_of_resource(values: usize, lines: &str) -> Vec<&'static str> {
        let names: Vec<String> = (0..values).map(|at| format!("value{at}")).collect();
        let definition = DEFINITION.replace("ENUM", &names.join(", "));
        let load = crate::Definitions::load_kept(&definition);
        let definitions = crate::Definitions::read("crd.yaml", &definition, load);
        let catalog = crate::Catalog::default().with([("crd.yaml".into(), definitions)]);
        let surroundings = Surroundings { catalog, source: "cr.yaml".into(), ..Surroundings::default() };
        let text = format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: a}}\n{lines}");
        let file = crate::File::with_surroundings(&text, &Settings::default(), surroundings);
        file.findings().iter().map(|finding| finding.code.as_str()).collect()
    }

    #[test]
    fn unlisted_errors_of_values_are_reported() {
        let list = |count: usize| (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>().join(", ");
        for (values, wrong, is_reported) in
            [(2, 900, false), (2, 1_001, true), (20_000, 200, true), (20_000, 10, false)]
        {
            let codes = codes_of_resource(values, &format!("a: [{}]\n", list(wrong)));
            assert_eq!(
                codes.contains(&TOO_MANY.as_str()),
                is_reported,
                "{values} {wrong}: {} findings",
                codes.len()
            );
        }
        // Findings on placeholders are hidden, but the findings behind them are not lost silently.
        let codes = codes_of_resource(2, &format!("b: [\"${{VALUE}}\", {}]\n", list(1_001)));
        assert!(codes.contains(&TOO_MANY.as_str()), "{} findings", codes.len());
    }

    #[test]
    fn unlisted_errors_of_rules_are_reported() {
        let rules = "        - {rule: 'a'}\n".repeat(12_000);
        let text = format!("{}        x-kubernetes-validations:\n{rules}", DEFINITION.replace("ENUM", "a"));
        let file = crate::File::new(&text, &Settings::default());
        assert!(file.findings().iter().any(|finding| finding.code.as_str() == TOO_MANY));
    }

    #[test]
    fn unlisted_syntax_errors_are_reported() {
        let text: String = (0..500).map(|number| format!("  a{number}: \"\n")).collect();
        let codes = codes(&text);
        assert!(codes.contains(&"file/too-many"), "{} findings", codes.len());
    }

    #[test]
    fn a_few_findings_are_all_listed() {
        assert_eq!(codes(&"  a: 1\n".repeat(3)), ["yaml/duplicate-key", "yaml/duplicate-key"]);
    }
}
