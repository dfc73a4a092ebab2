//! A text of twice the size costs at most three times as much: CPU time, output, memory, in all output formats of `check` and
//! in a server.
//!
//! By default the texts are small, and the bound for each byte detects faster growth; `CRD_LS_CASES=8x` makes the texts eight
//! times as large. `CRD_LS_ONLY` names one family, `CRD_LS_PROGRAM` the program. On a system without `/proc`, the tests only
//! check that the program ends.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod families;
    pub(crate) mod further;
    pub(crate) mod spent;
}

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::client::{Client, URI, did_change};
use support::families::{FAMILIES, Family};
use support::further::FURTHER;
use support::spent::{ResourceUsage, spent};

/// The output formats that are measured for each family.
const OUTPUTS: [&str; 2] = ["human", "json"];
/// The output formats of which each family has one, in turn; with larger texts it has all.
const FURTHER_OUTPUTS: [&str; 6] = ["concise", "github", "sarif", "junit", "gitlab", "checkstyle"];

/// The factor by which the costs may grow for twice the text, apart from noise.
const GROWTH: f64 = 3.0;

/// The bounds of costs.
struct Bounds {
    /// The maximum difference that is noise.
    noise: ResourceUsage,
    /// Always allowed. The proofs of fixes have a budget of steps for any text, and a busy machine is three times as slow.
    floor: ResourceUsage,
    /// Allowed in addition for each byte of a text.
    of_byte: ResourceUsage,
}

const CHECK: Bounds = Bounds {
    noise: ResourceUsage { cpu: Duration::from_millis(800), memory: 64 << 20, output: 256 << 10 },
    floor: ResourceUsage { cpu: Duration::from_millis(3_600), memory: 64 << 20, output: 256 << 10 },
    of_byte: ResourceUsage { cpu: Duration::from_micros(120), memory: 6_000, output: 250 },
};
/// The bounds of two publications, two answers with fixes, and all safe fixes for each of these.
const SERVER: Bounds = Bounds {
    noise: ResourceUsage { cpu: Duration::from_millis(2_400), memory: 96 << 20, output: 512 << 10 },
    floor: ResourceUsage { cpu: Duration::from_millis(12_000), memory: 96 << 20, output: 512 << 10 },
    of_byte: ResourceUsage { cpu: Duration::from_micros(240), memory: 8_000, output: 700 },
};
/// The time after which a run is aborted.
const PATIENCE: Duration = Duration::from_secs(15);

/// The factor by which the texts are larger than usual.
fn times() -> usize {
    environment::times()
}

fn families() -> impl Iterator<Item = &'static Family> {
    let wanted = environment::only();
    FAMILIES
        .iter()
        .chain(FURTHER)
        .filter(move |family| wanted.as_deref().is_none_or(|wanted| wanted == family.name))
}

/// The excessive costs of `twice`, compared with `once`, the costs of a text of half the size.
fn too_much(
    bounds: &Bounds,
    what: &str,
    once: &(usize, ResourceUsage),
    twice: &(usize, ResourceUsage),
) -> Option<String> {
    let bytes = twice.0 as u64;
    let (one, two) = (&once.1, &twice.1);
    let is_too_much = |of: fn(&ResourceUsage) -> f64| {
        let Bounds { noise, floor, of_byte } = bounds;
        of(two) > of(noise) + GROWTH * of(one) || of(two) > of(floor) + of(of_byte) * bytes as f64
    };
    let exceeded = [
        (is_too_much(|spent| spent.cpu.as_secs_f64()), "CPU"),
        (is_too_much(|spent| spent.output as f64), "output"),
        (is_too_much(|spent| spent.memory as f64), "memory"),
    ];
    let exceeded: Vec<&str> = exceeded.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
    let line = format!("{what}: {} bytes {one}; {bytes} bytes {two}", once.0);
    if environment::shows() {
        println!("{line}");
    }
    (!exceeded.is_empty()).then(|| format!("{line}: too much {}", exceeded.join(", ")))
}

/// Measures each selected family, at its size and at twice that size.
fn measure(
    bounds: &Bounds,
    what: &str,
    is_selected: &dyn Fn(usize) -> bool,
    run: impl Fn(&str) -> Result<ResourceUsage, String>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (_, family) in families().enumerate().filter(|(at, _)| is_selected(*at)) {
        let of = |size: usize| {
            let text = (family.text)(size);
            run(&text).map(|spent| (text.len(), spent))
        };
        let what = format!("{}, {what}", family.name);
        let both = || of(family.size * times()).and_then(|once| Ok((once, of(family.size * times() * 2)?)));
        let check_bounds = |(once, twice): &(_, _)| too_much(bounds, &what, once, twice);
        // Costs of other processes on the machine are unlikely to affect two measurements.
        let measured =
            both().and_then(|first| if check_bounds(&first).is_some() { both() } else { Ok(first) });
        match measured {
            Ok(measured) => wrong.extend(check_bounds(&measured)),
            Err(problem) => wrong.push(format!("{what}: {problem}")),
        }
    }
    wrong
}

/// A run of `check` on the text, from its stdin.
fn check(output: &str, text: &str) -> Result<ResourceUsage, String> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("text.yaml");
    std::fs::write(&path, text).unwrap();
    let program = environment::program().unwrap_or_else(|| env!("CARGO_BIN_EXE_crd-ls").into());
    let mut child = Command::new(program)
        .args(["check", "--output", output, "text.yaml"])
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let errors = thread::spawn(move || {
        let mut errors = String::new();
        stderr.read_to_string(&mut errors).map(|_| errors).unwrap_or_else(|error| error.to_string())
    });
    let written = thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).unwrap_or(0));
    let since = Instant::now();
    let mut most = ResourceUsage::default();
    // The figures of an ended process are kept until it is waited for, except those of its memory.
    while let Some((now, is_running)) = spent(child.id()) {
        most = ResourceUsage { cpu: now.cpu, memory: most.memory.max(now.memory), output: 0 };
        if !is_running {
            break;
        }
        if since.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(format!("{} bytes: no end within {PATIENCE:?}", text.len()));
        }
        thread::sleep(Duration::from_millis(1));
    }
    let status = child.wait().unwrap();
    let errors = errors.join().unwrap();
    if status.code().is_none_or(|code| code > 1) || !errors.is_empty() {
        return Err(format!("{status}: {errors}"));
    }
    Ok(ResourceUsage { output: written.join().unwrap(), ..most })
}

fn expect_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_cost_of_check_is_proportional_to_its_text() {
    let measured = |output: &str, is_selected: &dyn Fn(usize) -> bool| {
        measure(&CHECK, output, is_selected, |text| check(output, text))
    };
    let all = OUTPUTS.iter().flat_map(|output| measured(output, &|_| true));
    let further = FURTHER_OUTPUTS.iter().enumerate();
    let further = further
        .flat_map(|(turn, output)| measured(output, &|at| times() > 1 || at % FURTHER_OUTPUTS.len() == turn));
    let wrong: Vec<String> = all.chain(further).collect();
    expect_none(&wrong);
}

/// Opens the text, edits its end, and requests the code actions on its last line and at its first finding.
fn serve(text: &str) -> Result<ResourceUsage, String> {
    let (mut client, _) = Client::initialized(json!({
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    }));
    let mut output = 0;
    client.open("yaml", text);
    let found = client.diagnostics(URI, 1);
    output += found.to_string().len();
    let lines = text.lines().count() as u32;
    let end = json!({"line": lines, "character": 0});
    client.send(&[did_change(2, json!([{"range": {"start": end, "end": end}, "text": "# the end\n"}]))]);
    let found = client.diagnostics(URI, 2);
    output += found.to_string().len();
    let found = found.as_array().unwrap();
    for diagnostic in found.iter().take(1).chain(found.last()) {
        let params = json!({
            "textDocument": {"uri": URI}, "range": diagnostic["range"], "context": {"diagnostics": [diagnostic]},
        });
        output += client.ask("textDocument/codeAction", params).to_string().len();
    }
    let (spent, _) = spent(client.process()).unwrap_or_default();
    client.ask("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    Ok(ResourceUsage { output: output as u64, ..spent })
}

#[test]
fn the_cost_of_the_server_is_proportional_to_its_text() {
    let wrong = measure(&SERVER, "server", &|_| true, |text| {
        std::panic::catch_unwind(|| serve(text))
            .unwrap_or_else(|_| Err(format!("{} bytes: no answer", text.len())))
    });
    expect_none(&wrong);
}

const LARGE: &str = "file:///work/large.yaml";
const SMALL: &str = "a: b\n";

/// Requests on a small text are answered during the work on a large one, and the large one has diagnostics once it is
/// harmless.
#[test]
fn a_small_text_does_not_wait_for_a_large_one() {
    const PROMPTLY: Duration = Duration::from_secs(5);
    for family in families() {
        let text = (family.text)(family.size * 4 * times());
        let (mut client, _) = Client::initialized(json!({}));
        client.open_as(LARGE, "yaml", &text);
        // The test does not wait for these answers.
        let start = json!({"line": 0, "character": 0});
        let everything = json!({
            "textDocument": {"uri": LARGE}, "position": start, "context": {"diagnostics": []},
            "range": {"start": start, "end": {"line": 1_000_000, "character": 0}},
        });
        for _ in 0..40 {
            let (_, request) = client.request("textDocument/codeAction", everything.clone());
            client.send(&[request]);
        }
        let since = Instant::now();
        client.open("yaml", SMALL);
        client.diagnostics(URI, 1);
        client.ask("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": start}));
        assert!(since.elapsed() < PROMPTLY, "{}: {:?}", family.name, since.elapsed());
        let document = json!({"uri": LARGE, "version": 2});
        client.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [{"text": SMALL}]}),
        );
        assert_eq!(client.diagnostics(LARGE, 2), json!([]), "{}", family.name);
        let since = since.elapsed();
        assert!(since < 2 * PROMPTLY, "{}: {since:?}", family.name);
    }
}
