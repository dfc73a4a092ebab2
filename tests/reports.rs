//! The reports of `crd-ls check` on definitions with errors, in each output format, and the effect of `--fix`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod program;
    pub(crate) mod texts;
}

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::program::{directory, json_of, repository, run, run_with, status, stderr, stdout};
use support::texts::edited;

const FIRST_LIGHT: &str = "fixtures/first-light/widgets.yaml";
const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");
/// [`WIDGETS`] after `--fix`.
const FIXED: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.shop.example.com
spec:
  group: shop.example.com
  scope: Namespaced
  names:
    kind: Widget
    plural: widgets
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            metadata:
              type: object
              properties:
                name:
                  type: string
                  maxLength: 40 # leaves room for the suffix of a Pod's name
            spec:
              type: object
              required: [size]
              properties:
                # Either a name or a length.
                size:
                  type: string
                  anyOf:
                    - enum: [small, large]
                    - pattern: '^[1-9][0-9]*(mm|cm)$'
                replicas:
                  type: integer
                  allOf:
                    # no halves
                    - minimum: 1
                    - maximum: 10
";

/// kube-apiserver accepts it and prunes `oci`.
const ONLY_A_WARNING: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          source:
            type: object
            oneOf:
            - required: [oci]
              properties:
                oci: {minLength: 1}
";

fn first_light(arguments: &[&str]) -> std::process::Output {
    let mut all = vec!["check"];
    all.extend(arguments);
    all.push(FIRST_LIGHT);
    run(repository(), &all)
}

#[test]
fn the_human_report_underlines_the_word_at_fault() {
    let output = first_light(&[]);
    assert_eq!((status(&output), stderr(&output).as_str()), (1, ""));
    let text = stdout(&output);
    let fourth = "\
error[structural/junctor-type]: `type` is not allowed inside `anyOf`; move `type` outside `anyOf`
  --> fixtures/first-light/widgets.yaml:34:23
   |
34 |                     - type: string
   |                       ^^^^
   |
   = note: kube-apiserver: spec.validation.openAPIV3Schema.properties[spec].properties[size].anyOf[0].type: Forbidden: must be empty to be structural
   = note: line 32: `type` is missing here
   = note: 2 more findings with the same cause: lines 32 and 36; --verbose shows all
   = help: Move `type: string` from 2 branches of `anyOf` to `size` (--fix applies it)
";
    assert!(text.contains(fourth), "{text}");
    assert!(text.ends_with("\n1 definition checked: 7 errors\n"), "{text}");
}

/// kube-apiserver reports no unknown fields below `additionalProperties`: the typo is only a warning, and its consequence an
/// error.
#[test]
fn a_warning_is_shown_as_the_error_that_it_causes() {
    let text = ONLY_A_WARNING.split("          source:").next().unwrap().to_owned()
        + "          spec: {type: object, additionalProperties: {tpye: integer}}\n";
    let folder = directory(&[("a.yaml", text.as_bytes())]);
    let report = stdout(&run(folder.path(), &["check", "a.yaml"]));
    let titles: Vec<&str> = report.lines().filter(|line| line.starts_with("error[")).collect();
    assert_eq!(titles.len(), 1, "{report}");
    assert!(titles[0].starts_with("error[decode/unknown-field]: unknown field `tpye`"), "{report}");
    assert!(report.contains("1 more finding with the same cause: line "), "{report}");
}

/// The findings that follow from a typo are counted and reported with it; scripts get each finding, as does `--verbose`.
#[test]
fn the_human_report_shows_a_mistake_with_its_consequences() {
    let spec = "          spec:\n            type: object\n            properties:\n              size: {type: integer}\n";
    let status = "          status:\n            type: object\n";
    let text = ONLY_A_WARNING.split("          source:").next().unwrap().to_owned() + spec + status;
    let broken = text.replacen("          spec:\n", "", 1).replacen("kind: Widget,", "knd: Widget,", 1);
    let folder = directory(&[("a.yaml", broken.as_bytes())]);
    let titles = |arguments: &[&str]| {
        let output = run(folder.path(), &[&["check"], arguments, &["a.yaml"]].concat());
        assert_eq!(crate::status(&output), 1);
        stdout(&output)
    };
    let report = titles(&[]);
    let is_title = |line: &&str| line.starts_with("error[") || line.starts_with("warning[");
    let headings: Vec<&str> =
        report.lines().filter(is_title).map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(headings, ["error[decode/unknown-field]", "error[decode/type]"], "{report}");
    assert!(report.contains("more findings with the same cause: lines "), "{report}");
    let all = titles(&["--output", "concise"]);
    let is_wrong = |line: &&str| line.contains(": error[") || line.contains(": warning[");
    assert_eq!(titles(&["--verbose"]).lines().filter(is_title).count(), all.lines().filter(is_wrong).count());
    let errors = all.lines().filter(|line| line.contains(": error[")).count();
    assert!(report.contains(&format!("checked: {errors} errors")), "{report}\n{all}");
}

#[test]
fn the_json_report_has_the_documented_form() {
    let output = first_light(&["--output", "json"]);
    assert_eq!((status(&output), stderr(&output).as_str()), (1, ""));
    let first = concat!(
        r#"{"schemaVersion":2,"files":[{"path":"fixtures/first-light/widgets.yaml","diagnostics":["#,
        r#"{"code":"structural/metadata-fields","severity":"error","#,
        r#""message":"`metadata` may declare only `name` and `generateName`; remove the rest","#,
        r#""problem":"`metadata` may declare only `name` and `generateName`","remedy":"remove the rest","#,
        r#""range":{"start":{"line":18,"character":12},"end":{"line":18,"character":20}},"#,
        r#""fieldPath":"spec.versions[0].schema.openAPIV3Schema.properties[metadata]","#,
        r#""apiServer":{"type":"FieldValueForbidden","field":"spec.validation.openAPIV3Schema.properties[metadata]","#,
        r#""detail":"must not specify anything other than name and generateName, but metadata is implicitly specified","#,
        r#""message":"spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other "#,
        r#"than name and generateName, but metadata is implicitly specified"},"#,
        r#""related":[{"path":"fixtures/first-light/widgets.yaml","range":{"start":{"line":24,"character":16},"#,
        r#""end":{"line":24,"character":22}},"message":"not allowed here"}],"#,
        r#""url":"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/"#,
        r##"#specifying-a-structural-schema","fixes":[3]},"##,
        r#"{"code":"structural/type-required","#,
    );
    let text = stdout(&output);
    assert!(text.starts_with(first), "{text}");
    let last =
        r#"],"summary":{"definitions":1,"rules":0,"resources":0,"errors":7,"warnings":0,"notJudged":[]}}"#;
    assert!(text.trim_end().ends_with(last), "{text}");
    let fix = concat!(
        r#"{"id":3,"title":"Remove `labels` from `metadata` in the root schema","applicability":"safe","#,
        r#""edits":[{"range":{"start":{"line":24,"character":0},"end":{"line":27,"character":0}},"newText":""}]}"#,
    );
    assert!(text.contains(fix), "{text}");
    let codes: Vec<Value> = diagnostics(&json_of(&output)).iter().map(|d| d["code"].clone()).collect();
    let (required, junctor) = ("structural/type-required", "structural/junctor-type");
    assert_eq!(
        codes,
        ["structural/metadata-fields", required, required, junctor, junctor, required, junctor]
    );
}

/// The diagnostics of the only file.
fn diagnostics(report: &Value) -> Vec<Value> {
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    report["files"][0]["diagnostics"].as_array().unwrap().clone()
}

#[test]
fn the_edits_of_a_fix_repair_its_finding() {
    let report = json_of(&first_light(&["--output", "json"]));
    let mut applied = 0;
    for diagnostic in diagnostics(&report) {
        for id in diagnostic["fixes"].as_array().unwrap() {
            let fix = &report["files"][0]["fixes"][id.as_u64().unwrap() as usize];
            assert_eq!(fix["id"], *id);
            let text = edited(WIDGETS, &fix["edits"]);
            let after = run_with(repository(), &["check", "--output", "json", "-"], text.as_bytes());
            let same =
                |d: &Value| (&d["code"], &d["fieldPath"]) == (&diagnostic["code"], &diagnostic["fieldPath"]);
            assert!(!diagnostics(&json_of(&after)).iter().any(same), "{diagnostic}\n{text}");
            applied += 1;
        }
    }
    assert_eq!(applied, 7);
}

#[test]
fn a_warning_of_our_own_is_never_shown_as_the_servers() {
    let directory = directory(&[("a.yaml", ONLY_A_WARNING.as_bytes())]);
    let output = run(directory.path(), &["check", "--output", "json", "a.yaml"]);
    let diagnostics = diagnostics(&json_of(&output));
    assert_eq!(diagnostics.len(), 1);
    let keys: Vec<&str> = diagnostics[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert!(!keys.contains(&"apiServer"), "{keys:?}");
    assert_eq!(diagnostics[0]["code"], "structural/complete-nested");
    assert_eq!(diagnostics[0]["severity"], "warning");
    let text = stdout(&run(directory.path(), &["check", "a.yaml"]));
    assert!(text.contains("warning[structural/complete-nested]"), "{text}");
    assert!(!text.contains("note: kube-apiserver:"), "{text}");
}

#[test]
fn warnings_fail_with_fail_on_warning() {
    let directory = directory(&[("a.yaml", ONLY_A_WARNING.as_bytes())]);
    for (fail_on, expected) in [("error", 0), ("warning", 1), ("never", 0)] {
        let output = run(directory.path(), &["check", "--fail-on", fail_on, "a.yaml"]);
        assert_eq!(status(&output), expected, "{fail_on}");
    }
    assert_eq!(status(&run(directory.path(), &["check", "a.yaml"])), 0);
    assert_eq!(status(&run(directory.path(), &["check", "--fail-on", "warning", "a.yaml", "b.yaml"])), 2);
    assert_eq!(status(&first_light(&["--fail-on", "never"])), 0);
}

#[test]
fn the_github_report_has_an_annotation_for_each_finding() {
    let text = stdout(&first_light(&["--output", "github"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7);
    let fourth = "::error file=fixtures/first-light/widgets.yaml,line=34,col=23,endLine=34,endColumn=27,\
        title=structural/junctor-type::`type` is not allowed inside `anyOf`; move `type` outside `anyOf`\
        %0Akube-apiserver: spec.validation.openAPIV3Schema.properties[spec].properties[size].anyOf[0].type: \
        Forbidden: must be empty to be structural";
    assert_eq!(lines[3], fourth);
}

#[test]
fn the_sarif_report_has_results_with_places_and_fixes() {
    let log = json_of(&first_light(&["--output", "sarif"]));
    let run = &log["runs"][0];
    let rules: Vec<&Value> =
        run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|r| &r["id"]).collect();
    assert_eq!(rules, ["structural/junctor-type", "structural/metadata-fields", "structural/type-required"]);
    assert_eq!(run["results"].as_array().unwrap().len(), 7);
    let result = &run["results"][3];
    assert_eq!((&result["ruleIndex"], &result["level"]), (&json!(0), &json!("error")));
    assert_eq!(
        result["locations"][0]["physicalLocation"],
        json!({
            "artifactLocation": {"uri": "fixtures/first-light/widgets.yaml", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 34, "startColumn": 23, "endLine": 34, "endColumn": 27},
        })
    );
    let replacements = &result["fixes"][0]["artifactChanges"][0]["replacements"];
    assert_eq!(replacements[0]["insertedContent"]["text"], "                  type: string\n");
    assert_eq!(
        replacements[1]["deletedRegion"],
        json!({"startLine": 34, "startColumn": 23, "endLine": 35, "endColumn": 23})
    );
}

#[test]
fn fix_repairs_files_in_place_and_touches_no_other() {
    let directory = directory(&[
        ("a.yaml", WIDGETS.as_bytes()),
        ("crlf.yaml", WIDGETS.replace('\n', "\r\n").as_bytes()),
        ("other.yaml", b"a:   b\n"),
    ]);
    let at = |name: &str| directory.path().join(name);
    let untouched = fs::metadata(at("other.yaml")).unwrap().modified().unwrap();
    let output = run(directory.path(), &["check", "--fix", "."]);
    assert_eq!(status(&output), 0);
    assert_eq!(stdout(&output), "2 definitions checked: no findings; 2 files fixed\n");
    assert_eq!(fs::read_to_string(at("a.yaml")).unwrap(), FIXED);
    assert_eq!(fs::read_to_string(at("crlf.yaml")).unwrap(), FIXED.replace('\n', "\r\n"));
    assert_eq!(fs::metadata(at("other.yaml")).unwrap().modified().unwrap(), untouched);
    // A second run finds nothing to do.
    let fixed = fs::metadata(at("a.yaml")).unwrap().modified().unwrap();
    let output = run(directory.path(), &["check", "--fix", "."]);
    assert_eq!(stdout(&output), "2 definitions checked: no findings\n");
    assert_eq!(fs::metadata(at("a.yaml")).unwrap().modified().unwrap(), fixed);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 3, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn a_fixed_file_keeps_its_mode_and_is_replaced_in_one_step() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let directory = directory(&[("a.yaml", WIDGETS.as_bytes())]);
    let path = directory.path().join("a.yaml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    // A reader that has the old file open reads all of it.
    let reader = fs::File::open(&path).unwrap();
    let before = fs::metadata(&path).unwrap().ino();
    assert_eq!(status(&run(directory.path(), &["check", "--fix", "a.yaml"])), 0);
    assert_eq!(std::io::read_to_string(reader).unwrap(), WIDGETS);
    let after = fs::metadata(&path).unwrap();
    assert_eq!(after.permissions().mode() & 0o777, 0o640);
    assert_ne!(after.ino(), before);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_fixed_is_reported_and_not_changed() {
    use std::os::unix::fs::PermissionsExt;

    let directory = directory(&[("locked/a.yaml", WIDGETS.as_bytes())]);
    let locked = directory.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    let may_write_anywhere = fs::write(locked.join("probe"), "").is_ok();
    if may_write_anywhere {
        // This bypasses the test runner, which shows no output of a test that passes.
        let line =
            b"skipped: a file that cannot be fixed, because this user may write into every directory\n";
        std::io::stderr().write_all(line).unwrap();
        return;
    }
    let output = run(directory.path(), &["check", "--fix", "locked/a.yaml"]);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("locked/a.yaml: cannot write the fixes"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(locked.join("a.yaml")).unwrap(), WIDGETS);
}

#[test]
fn fix_filters_stdin_to_stdout() {
    let output = run_with(Path::new("."), &["check", "--fix", "-"], WIDGETS.as_bytes());
    assert_eq!(status(&output), 0);
    assert_eq!(stdout(&output), FIXED);
    assert_eq!(stderr(&output), "1 definition checked: no findings; 1 file fixed\n");
    let output = run_with(Path::new("."), &["check", "--fix", "-"], FIXED.as_bytes());
    assert_eq!((stdout(&output).as_str(), status(&output)), (FIXED, 0));
}

#[test]
fn fix_leaves_choices_and_reports_them() {
    let text = WIDGETS
        .replace("                replicas:\n", "                free: {}\n                replicas:\n");
    let output = run_with(Path::new("."), &["check", "--fix", "-"], text.as_bytes());
    assert_eq!(status(&output), 1);
    let left =
        FIXED.replace("                replicas:\n", "                free: {}\n                replicas:\n");
    assert_eq!(stdout(&output), left);
    let messages = stderr(&output);
    assert!(messages.contains("= help: Add `type: string` to `free`\n"), "{messages}");
    assert!(messages.ends_with("1 definition checked: 1 error; 1 file fixed\n"), "{messages}");
}

#[test]
fn files_are_reported_in_path_order() {
    let names: Vec<String> = (0..60).map(|at| format!("{:02}.yaml", at * 37 % 60)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), WIDGETS.as_bytes())).collect();
    let directory = directory(&files);
    let output = run(directory.path(), &["check", "--output", "json", "."]);
    let report = json_of(&output);
    let paths: Vec<&str> =
        report["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(paths, (0..60).map(|at| format!("./{at:02}.yaml")).collect::<Vec<_>>());
    // Related places name their file.
    let found = |file: &Value| -> Vec<(Value, Value)> {
        let diagnostics = file["diagnostics"].as_array().unwrap().iter();
        diagnostics.map(|one| (one["message"].clone(), one["range"].clone())).collect()
    };
    let same = |file: &Value| found(file) == found(&report["files"][0]);
    assert!(report["files"].as_array().unwrap().iter().all(same));
    let text = stdout(&run(directory.path(), &["check", "."]));
    assert!(text.ends_with("\n60 definitions checked: 420 errors\n"));
}

/// Errors as from a generator that puts every type into `anyOf`.
#[test]
fn a_file_with_many_mistakes_is_reported_in_time() {
    let (head, _) = ONLY_A_WARNING.split_once("          source:").unwrap();
    let field = |at| {
        format!(
            "          f{at}:\n            anyOf:\n            - type: string\n            - minLength: 2\n"
        )
    };
    let text = head.to_owned() + &(0..400).map(field).collect::<String>();
    let directory = directory(&[("a.yaml", text.as_bytes())]);
    let start = Instant::now();
    let report = json_of(&run(directory.path(), &["check", "--output", "json", "a.yaml"]));
    let took = start.elapsed();
    let diagnostics = diagnostics(&report);
    assert_eq!(diagnostics.len(), 800);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic["fixes"].as_array().unwrap().len() == 1));
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn rules_are_explained() {
    let page = ide::rule("structural/junctor-type").unwrap().page();
    let output = run(Path::new("."), &["explain", "structural/junctor-type"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, page.as_str()));
    let output = run(Path::new("."), &["rules"]);
    let list = stdout(&output);
    assert_eq!(status(&output), 0);
    let rules = json_of(&run(Path::new("."), &["rules", "--output", "json"]))["rules"].clone();
    assert_eq!(rules.as_array().unwrap().len(), list.lines().count());
    assert!(rules.as_array().unwrap().iter().any(|rule| rule["code"] == "file/not-utf8"));
    // Every code that a finding has is in the list.
    for diagnostic in diagnostics(&json_of(&first_light(&["--output", "json"]))) {
        let line = format!("{} ", diagnostic["code"].as_str().unwrap());
        assert!(list.lines().any(|listed| listed.starts_with(&line)), "{line}");
    }
    let output = run(Path::new("."), &["explain", "structural/nonsense"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("structural/nonsense"));
}

#[test]
fn an_answer_that_is_one_text_is_reported_unchanged() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspecs: {}\nspec:\n  group: a.b\n  \
                names: {}\n  versions: []\n";
    let directory = directory(&[("a.yaml", text.as_bytes())]);
    let output = stdout(&run(directory.path(), &["check", "a.yaml"]));
    assert!(output.contains("= note: kube-apiserver: unknown field \"specs\"\n"), "{output}");
}
