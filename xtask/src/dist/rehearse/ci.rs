//! The scripts for CI: the GitHub action, the GitLab template, a target of make.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use super::{CODE, Outcome, Stage, installs, is_installed, output_with_status, path_with};
use crate::dist::{read_text, write};
use crate::place;

/// The script of `action.yml` downloads the archive from the output directory, annotates, writes SARIF and compares.
pub(super) fn action(stage: &Stage<'_>) -> Result<Outcome, String> {
    if !is_installed("bash") || !is_installed("curl") {
        return Ok(Outcome::Skipped("bash or curl is not installed".to_owned()));
    }
    let project = stage.project("action")?;
    commit(&project)?;
    let definition = project.join("crds/widgets.yaml");
    // Changes the scope, which breaks clients.
    let text = read_text(&definition)?;
    write(&definition, text.replace("scope: Namespaced", "scope: Cluster"))?;
    let temporary = stage.empty("action-temporary")?;
    let (summary, sarif) = (temporary.join("summary.md"), temporary.join("findings.sarif"));
    let begun = Instant::now();
    let processor = if cfg!(target_arch = "x86_64") { "X64" } else { "ARM64" };
    let system = if cfg!(target_os = "macos") { "macOS" } else { "Linux" };
    let mut script = Command::new("bash");
    script.arg(place::repository().join("packaging/github/action.sh")).current_dir(&project);
    script.env("GITHUB_ACTION_PATH", place::repository()).env("GITHUB_STEP_SUMMARY", &summary);
    script.env("RUNNER_OS", system).env("RUNNER_ARCH", processor).env("RUNNER_TEMP", &temporary);
    script.env("INPUT_DOWNLOADS", format!("file://{}", stage.out.display()));
    script.envs([
        ("INPUT_PATHS", "crds\n"),
        ("INPUT_VERSION", ""),
        ("INPUT_KUBERNETES_VERSION", "1.33"),
        ("INPUT_FAIL_ON", "error"),
        ("INPUT_ARGUMENTS", ""),
        ("INPUT_BASE", "HEAD"),
        ("INPUT_DIFF_FAIL_ON", "breaking"),
        ("INPUT_REPOSITORY", &stage.release.repository),
    ]);
    script.env("INPUT_SARIF_FILE", &sarif);
    let output = output_with_status(&mut script, 1)?;
    let time = begun.elapsed();
    if !output.contains("::error file=crds/widgets.yaml,") {
        return Err(format!("no annotation:\n{output}"));
    }
    let sarif: Value =
        serde_json::from_str(&read_text(&sarif)?).map_err(|error| format!("SARIF: {error}"))?;
    if sarif["runs"][0]["results"].as_array().is_none_or(Vec::is_empty) {
        return Err(format!("no result in {sarif}"));
    }
    let summary = read_text(&summary)?;
    if !summary.contains("| breaking |") {
        return Err(format!("no breaking change in the summary:\n{summary}"));
    }
    // An archive that differs from that of the release is rejected.
    let forged = stage.empty("forged")?;
    let archive = stage.built_file("", "crd-ls-", ".tar.gz")?;
    let name = archive.file_name().ok_or("an archive without a name")?;
    write(&forged.join(name), "not the archive")?;
    write(&forged.join("SHA256SUMS"), read_text(&stage.out.join("SHA256SUMS"))?)?;
    script.env("INPUT_DOWNLOADS", format!("file://{}", forged.display()));
    output_with_status(&mut script, 1)?;
    Ok(Outcome::Gone(time))
}

/// Runs the commands of the template, with the program from the archive instead of the one that the template
/// would install.
pub(super) fn gitlab(stage: &Stage<'_>) -> Result<Outcome, String> {
    if !is_installed("bash") {
        return Ok(Outcome::Skipped("bash is not installed".to_owned()));
    }
    let begun = Instant::now();
    let programs = installs::unpack(stage, "gitlab-programs")?;
    let project = stage.project("gitlab")?;
    let template = read_text(&place::repository().join("packaging/gitlab/crd-ls.gitlab-ci.yml"))?;
    let (_, commands) = template.split_once("  script:\n").ok_or("the template has no script")?;
    let commands: Vec<&str> = commands.lines().map_while(|line| line.strip_prefix("    - ")).collect();
    let mut script = Command::new("bash");
    script.args(["-e", "-c", &commands.join("\n")]).current_dir(&project);
    script.env("PATH", path_with(&programs)?).env("CRD_LS_PATHS", "crds").env("CRD_LS_ARGUMENTS", "");
    output_with_status(&mut script, 1)?;
    let report = read_text(&project.join("gl-code-quality-report.json"))?;
    let findings: Value = serde_json::from_str(&report).map_err(|error| format!("{report}: {error}"))?;
    let is_it =
        |finding: &Value| finding["check_name"] == CODE && finding["location"]["path"] == "crds/widgets.yaml";
    if !findings.as_array().is_some_and(|findings| findings.iter().any(is_it)) {
        return Err(format!("the report lacks {CODE}:\n{report}"));
    }
    Ok(Outcome::Gone(begun.elapsed()))
}

/// The lines for a Makefile in `docs/ci.md`.
pub(super) fn make(stage: &Stage<'_>) -> Result<Outcome, String> {
    if !is_installed("make") {
        return Ok(Outcome::Skipped("make is not installed".to_owned()));
    }
    let begun = Instant::now();
    let programs = installs::unpack(stage, "make-programs")?;
    let project = stage.empty("make")?;
    let page = read_text(&place::repository().join("docs/ci.md"))?;
    let lines = page.split("```makefile\n").nth(1).and_then(|rest| rest.split("```").next());
    let lines = lines.ok_or("docs/ci.md has no lines for a Makefile")?;
    write(&project.join("Makefile"), format!(".PHONY: manifests\nmanifests: ;\n\n{lines}"))?;
    let fixture = read_text(&place::repository().join(super::FIXTURE))?;
    write(&project.join("config/crd/bases/widgets.yaml"), &fixture)?;
    let mut make = Command::new("make");
    make.arg("lint-crds").current_dir(&project).env("PATH", path_with(&programs)?);
    let output = output_with_status(&mut make, 2)?;
    if !output.contains(CODE) {
        return Err(format!("make lint-crds does not report {CODE}:\n{output}"));
    }
    Ok(Outcome::Gone(begun.elapsed()))
}

/// Makes a directory a git repository that contains all its files.
pub(super) fn commit(directory: &Path) -> Result<(), String> {
    let steps: [&[&str]; 3] = [
        &["init", "--quiet", "--initial-branch=main"],
        &["add", "."],
        &[
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.com",
            "commit",
            "--quiet",
            "--no-verify",
            "-m",
            "All",
        ],
    ];
    for step in steps {
        place::stdout_of(Command::new("git").args(step).current_dir(directory))?;
    }
    Ok(())
}
