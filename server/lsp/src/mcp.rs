//! `crd-ls mcp`: the command line as tools of the Model Context Protocol, for agents that write definitions and resources.
//!
//! Each call runs this program with the arguments that a person would give. Therefore, tools answer as the command line does, and
//! a crash affects only its own call.

use std::io::Write;
use std::process::{Command, ExitCode, Output, Stdio};

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig};
use rmcp::schemars::{self, JsonSchema};
use rmcp::{ErrorData, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::Deserialize;

use crate::status::{CLEAN, FAILED};

/// The maximum size of an answer, in bytes: agents read all of it.
const MOST_BYTES: usize = 64 * 1024;

/// The instructions on the tools for agents.
const INSTRUCTIONS: &str = "\
crd-ls reports what kube-apiserver would report about CustomResourceDefinitions and custom resources, without a cluster. After \
each change of a definition or a resource, call `check`. `explain` describes the check behind a code. `fix` applies all safe fixes, \
which do not change which objects are valid. Paths are files and directories, relative to the directory in which the server \
was started.";

/// Serves an agent over stdin and stdout until it closes stdin.
pub(crate) fn run() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let served = match runtime {
        Ok(runtime) => {
            let served = runtime.block_on(serve());
            // A thread may still read stdin; the process does not wait for it.
            runtime.shutdown_background();
            served
        }
        Err(error) => Err(format!("cannot start: {error}")),
    };
    match served {
        Ok(()) => ExitCode::from(CLEAN),
        Err(problem) => {
            // If stderr is closed, the error cannot be reported.
            let _ = writeln!(std::io::stderr(), "crd-ls: {problem}");
            ExitCode::from(FAILED)
        }
    }
}

async fn serve() -> Result<(), String> {
    let service = Tools.serve(rmcp::transport::stdio()).await.map_err(|error| error.to_string())?;
    service.waiting().await.map(drop).map_err(|error| error.to_string())
}

/// All tools; they keep no state between calls.
#[derive(Clone, Copy, Debug)]
struct Tools;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Check {
    /// Files and directories to check; by default the current directory.
    #[serde(default)]
    paths: Vec<String>,
    /// YAML to check instead of files.
    text: Option<String>,
    #[serde(flatten)]
    definitions: Definitions,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fix {
    /// Files and directories to fix; by default the current directory.
    #[serde(default)]
    paths: Vec<String>,
    /// YAML to fix instead of files; the answer is the fixed text.
    text: Option<String>,
    /// Write the files; otherwise the answer is a unified diff of the changes.
    #[serde(default)]
    write: bool,
    #[serde(flatten)]
    definitions: Definitions,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Definitions {
    /// Files and directories with more definitions for resources.
    #[serde(default)]
    crds: Vec<String>,
    /// The Kubernetes release to check against, such as 1.33; by default the newest.
    kubernetes_version: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Explain {
    /// The code of a finding, such as structural/junctor-type.
    code: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sample {
    /// Kinds, or files and directories with definitions.
    names: Vec<String>,
    /// Only this version.
    version: Option<String>,
    #[serde(flatten)]
    definitions: Definitions,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Eval {
    /// The file with the definition.
    definition: String,
    /// The file with the resource; or its YAML as `text`.
    resource: Option<String>,
    /// The resource as YAML.
    text: Option<String>,
    /// This expression in CEL instead of the definition's rules; self is the whole resource.
    expression: Option<String>,
    /// The file with the stored resource, for transition rules.
    old: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Diff {
    /// The old and the new file; with `base` the files and directories to compare.
    paths: Vec<String>,
    /// A revision of git, merge-base (with the main branch) or tag:PATTERN.
    base: Option<String>,
}

#[tool_router]
impl Tools {
    #[tool(
        description = "Check CustomResourceDefinitions and custom resources: a line for each finding, with place, severity, code \
                       and message.",
        annotations(read_only_hint = true)
    )]
    async fn check(&self, Parameters(request): Parameters<Check>) -> Result<CallToolResult, ErrorData> {
        let call = Call::new(&["check", "--output", "concise"]).definitions(&request.definitions);
        call.files(request.paths, request.text).answer("no findings").await
    }

    #[tool(
        description = "Apply all safe fixes, which do not change which objects are valid: prints the diff or the fixed text, then the \
                       remaining findings.",
        annotations(destructive_hint = false, idempotent_hint = true)
    )]
    async fn fix(&self, Parameters(request): Parameters<Fix>) -> Result<CallToolResult, ErrorData> {
        let call = Call::new(&["check", "--output", "concise", "--fix"]).definitions(&request.definitions);
        let call = if request.write || request.text.is_some() { call } else { call.with(&["--diff"]) };
        call.files(request.paths, request.text).answer("no fixes, no findings").await
    }

    #[tool(
        description = "Explain a code: what the check reports, what kube-apiserver does, a wrong and a right example, how to fix it.",
        annotations(read_only_hint = true)
    )]
    async fn explain(&self, Parameters(request): Parameters<Explain>) -> Result<CallToolResult, ErrorData> {
        Call::new(&["explain"]).operands([request.code]).answer("").await
    }

    #[tool(
        description = "Print a commented sample of a kind that kube-apiserver accepts.",
        annotations(read_only_hint = true)
    )]
    async fn sample(&self, Parameters(request): Parameters<Sample>) -> Result<CallToolResult, ErrorData> {
        let call = Call::new(&["sample"])
            .definitions(&request.definitions)
            .option("--version", request.version.as_deref());
        call.operands(request.names).answer("no definition of that name").await
    }

    #[tool(
        description = "Evaluate the CEL rules of a definition on a resource, or any expression: the value of each part.",
        annotations(read_only_hint = true)
    )]
    async fn eval(&self, Parameters(request): Parameters<Eval>) -> Result<CallToolResult, ErrorData> {
        let call = Call::new(&["eval"]).option("--expression", request.expression.as_deref());
        let call = call.option("--old", request.old.as_deref());
        let resource = request.resource.unwrap_or_else(|| "-".to_owned());
        Call { input: request.text, ..call }.operands([request.definition, resource]).answer("no rules").await
    }

    #[tool(
        description = "Compare definitions with earlier ones: what breaks stored objects and clients, what may break, what is safe.",
        annotations(read_only_hint = true)
    )]
    async fn diff(&self, Parameters(request): Parameters<Diff>) -> Result<CallToolResult, ErrorData> {
        Call::new(&["diff"])
            .option("--base", request.base.as_deref())
            .operands(request.paths)
            .answer("no changes")
            .await
    }
}

#[tool_handler]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("crd-ls", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}

/// A run of this program.
struct Call {
    arguments: Vec<String>,
    input: Option<String>,
}

impl Call {
    fn new(arguments: &[&str]) -> Self {
        Self { arguments: Vec::new(), input: None }.with(arguments)
    }

    fn with(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        self
    }

    /// An option as one argument, so that its value cannot be taken for another option.
    fn option(mut self, name: &str, value: Option<&str>) -> Self {
        self.arguments.extend(value.map(|value| format!("{name}={value}")));
        self
    }

    fn definitions(self, definitions: &Definitions) -> Self {
        let call = self.option("--kubernetes-version", definitions.kubernetes_version.as_deref());
        definitions.crds.iter().fold(call, |call, path| call.option("--crd", Some(path)))
    }

    /// Adds the paths, or `-` with the text as input.
    fn files(self, paths: Vec<String>, text: Option<String>) -> Self {
        match text {
            Some(text) => Self { input: Some(text), ..self }.operands(["-".to_owned()]),
            None => self.operands(paths),
        }
    }

    /// Adds operands, which are never read as options, even if they begin with `-`.
    fn operands(self, operands: impl IntoIterator<Item = String>) -> Self {
        let mut call = self.with(&["--"]);
        call.arguments.extend(operands);
        call
    }

    /// The output of the run, or `otherwise` if it is empty.
    async fn answer(self, otherwise: &str) -> Result<CallToolResult, ErrorData> {
        let ran = tokio::task::spawn_blocking(move || self.run()).await;
        let output = match ran {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => return Ok(error_of(format!("crd-ls cannot be run: {error}"))),
            Err(error) => return Ok(error_of(format!("crd-ls did not finish: {error}"))),
        };
        let texts = [&output.stdout, &output.stderr].map(|bytes| bounded(&String::from_utf8_lossy(bytes)));
        let mut texts: Vec<String> = texts.into_iter().filter(|text| !text.trim().is_empty()).collect();
        if output.status.code().is_none_or(|code| code >= i32::from(FAILED)) {
            let output = if texts.is_empty() {
                format!("crd-ls ended with {}", output.status)
            } else {
                texts.join("\n")
            };
            return Ok(error_of(output));
        }
        if texts.is_empty() {
            texts.push(otherwise.to_owned());
        }
        Ok(CallToolResult::success(texts.into_iter().map(ContentBlock::text).collect()))
    }

    fn run(self) -> std::io::Result<Output> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take();
        // The run reads all of its input before it writes; a run that does not read ends and reports why.
        if let (Some(mut stdin), Some(input)) = (stdin, self.input) {
            match stdin.write_all(input.as_bytes()) {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => return Err(error),
                _ => {}
            }
        }
        child.wait_with_output()
    }
}

fn error_of(problem: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(problem)])
}

/// The text, truncated to [`MOST_BYTES`] with a remark on the omitted lines.
fn bounded(text: &str) -> String {
    if text.len() <= MOST_BYTES {
        return text.to_owned();
    }
    let beginning = &text[..text::floor_char_boundary(text, MOST_BYTES)];
    let whole_lines = beginning.rsplit_once('\n').map_or(beginning, |(lines, _)| lines);
    let left = text.lines().count() - whole_lines.lines().count();
    format!("{whole_lines}\n({left} more lines omitted; name fewer paths)\n")
}
