//! `spec.conversion` (`validateCustomResourceConversion`): checks 55 to 72.

use std::borrow::Cow;

use api::{Code, Difference, KubernetesVersion};
use cel::value::Url;
use rustc_hash::FxHashMap;
use text::TextRange;

use super::ca_bundle;
use super::findings::{Findings, Problem, one_of};
use super::internal::InternalDefinition;
use crate::field_path::Segment;
use crate::go;
use crate::message::Message;
use crate::names::{TOO_LONG, dns_1035_label, dns_1123_subdomain};
use crate::object::Node;
use crate::printed::{json_string, json_strings, shortened};
use crate::report::{ApiVersion, ErrorType};

const CLIENT_CONFIG: &str = "spec.conversion.webhookClientConfig";
const REVIEW_VERSIONS: &str = "spec.conversion.conversionReviewVersions";
const RECOGNIZED: [&str; 2] = ["v1", "v1beta1"];

/// The checks that an update relaxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelaxedChecks {
    /// The stored definition names no review version that the server supports.
    pub(super) review_versions: bool,
    /// The definition is new, not established yet, or its bundle was invalid before.
    pub(super) ca_bundle: bool,
}

/// `spec.conversion`, whose parts are at other places in v1beta1.
pub(super) struct Conversion<'r, 't> {
    node: Node<'r, 't>,
    pub(super) client_config: Node<'r, 't>,
    review_versions: Node<'r, 't>,
    /// Whether v1beta1 sets the default `[v1beta1]`.
    has_default_review_versions: bool,
}

impl<'r, 't> Conversion<'r, 't> {
    pub(super) fn read(internal: &InternalDefinition<'r, 't>) -> Self {
        let node = internal.spec.child("conversion");
        let is_v1 = internal.api_version == ApiVersion::V1;
        let holder = if is_v1 { node.child("webhook") } else { node.clone() };
        let client_config = if is_v1 { "clientConfig" } else { "webhookClientConfig" };
        let [client_config, review_versions] = holder.children([client_config, "conversionReviewVersions"]);
        let has_default_review_versions =
            !is_v1 && node.child("strategy").text() == "Webhook" && !review_versions.has_members();
        Self { node, client_config, review_versions, has_default_review_versions }
    }

    /// Whether the list has a version of ConversionReview that the server supports, or is empty.
    pub(super) fn is_recognized_or_empty(&self) -> bool {
        let mut versions = self.review_versions.items().map(|item| item.text()).peekable();
        versions.peek().is_none() || versions.any(|version| RECOGNIZED.contains(&version.as_ref()))
    }

    /// The problem of the CA bundle, if it has one.
    pub(super) fn ca_bundle_problem(&self) -> Option<String> {
        let bundle = self.client_config.child("caBundle").text();
        if bundle.is_empty() { None } else { ca_bundle::problem(&bundle) }
    }

    /// Checks the whole conversion.
    pub(super) fn check(
        &self,
        preserves: bool,
        relaxed: RelaxedChecks,
        version: KubernetesVersion,
        findings: &mut Findings<'_>,
    ) {
        if !self.node.is_set() {
            return;
        }
        let strategy = self.node.child("strategy");
        let name = strategy.text();
        let field = "spec.conversion.strategy";
        if preserves && name != "None" {
            let detail = "must be None if spec.preserveUnknownFields is true".to_owned();
            let code = Code::ConversionPreserveUnknownFields;
            findings.add(
                &strategy,
                Problem {
                    code,
                    error: ErrorType::Invalid,
                    field,
                    detail,
                    advice: "use `None`, or set `preserveUnknownFields: false`",
                },
            );
            findings.reword(Message::new("`strategy` must be `None` with `preserveUnknownFields: true`"));
            // A separate Go type, which the server prints as JSON.
            findings.print_value(|| json_string(&name));
        }
        if name.is_empty() {
            let code = Code::ConversionStrategyRequired;
            let (error, detail) = (ErrorType::Required, String::new());
            findings
                .add(&strategy, Problem { code, error, field, detail, advice: "use `None` or `Webhook`" });
        } else if !matches!(name.as_ref(), "None" | "Webhook") {
            let detail = r#"supported values: "None", "Webhook""#.to_owned();
            let (code, error) = (Code::ConversionStrategyUnsupported, ErrorType::NotSupported);
            let advice = one_of(&name, ["None", "Webhook"]);
            findings.add(&strategy, Problem { code, error, field, detail, advice: &advice });
        }
        if name == "Webhook" {
            self.webhook(relaxed, version, findings);
        } else {
            self.no_webhook(strategy.range(), findings);
        }
    }

    fn no_webhook(&self, strategy: TextRange, findings: &mut Findings<'_>) {
        let forbidden = [
            (
                &self.client_config,
                self.client_config.is_set(),
                Code::ConversionWebhookForbidden,
                CLIENT_CONFIG,
            ),
            (
                &self.review_versions,
                self.review_versions.has_members(),
                Code::ConversionReviewVersionsForbidden,
                REVIEW_VERSIONS,
            ),
        ];
        for (node, is_there, code, field) in forbidden {
            if is_there {
                let detail = "should not be set when strategy is not set to Webhook".to_owned();
                let advice = "remove it, or set `strategy: Webhook`";
                findings
                    .add_at_key(node, Problem { code, error: ErrorType::Forbidden, field, detail, advice });
                let name = node.path().last().and_then(Segment::key).unwrap_or_default();
                findings.reword(Message::new(format!("`{name}` requires `strategy: Webhook`")));
                findings.follows_from(strategy, "the strategy");
            }
        }
    }

    fn webhook(&self, relaxed: RelaxedChecks, version: KubernetesVersion, findings: &mut Findings<'_>) {
        if self.client_config.is_set() {
            self.client_config(relaxed, version, findings);
        } else {
            findings.add(
                &self.client_config,
                Problem {
                    code: Code::ConversionClientConfigRequired,
                    error: ErrorType::Required,
                    field: CLIENT_CONFIG,
                    detail: "required when strategy is set to Webhook".to_owned(),
                    advice: "add it with `service` or `url`",
                },
            );
            let name = self.client_config.path().last().and_then(Segment::key).unwrap_or_default();
            findings.reword(Message::new(format!("`{name}` is required for `strategy: Webhook`")));
        }
        if !self.has_default_review_versions {
            self.review_versions(relaxed, findings);
        }
    }

    fn client_config(&self, relaxed: RelaxedChecks, version: KubernetesVersion, findings: &mut Findings<'_>) {
        let [url, service, ca_bundle] = self.client_config.children(["url", "service", "caBundle"]);
        match (url.optional_text(), service.is_set()) {
            (Some(text), false) => check_url(&url, &text, findings),
            (None, true) => check_service(&service, version, findings),
            (url, _) => {
                let (problem, advice) = match url {
                    Some(_) => ("`url` and `service` exclude each other", "remove one of them"),
                    None => ("`url` and `service` are missing", "set one of them"),
                };
                findings.add_at_key(
                    &self.client_config,
                    Problem {
                        code: Code::ConversionUrlXorService,
                        error: ErrorType::Required,
                        field: CLIENT_CONFIG,
                        detail: "exactly one of url or service is required".to_owned(),
                        advice,
                    },
                );
                findings.reword(Message::new(problem));
            }
        }
        if relaxed.ca_bundle {
            return;
        }
        if let Some(detail) = self.ca_bundle_problem() {
            let field = format!("{CLIENT_CONFIG}.caBundle");
            let advice = "write the base64 encoding of a PEM file with certificates";
            let (code, error) = (Code::ConversionCaBundle, ErrorType::Invalid);
            findings.add(&ca_bundle, Problem { code, error, field: &field, detail, advice });
            // The value is bytes, which the server prints in base64 again.
            findings.reword(Message::new("`caBundle` contains no valid PEM certificate"));
            findings.print_value(|| shortened(json_string(&ca_bundle.text().replace(['\n', '\r'], ""))));
        }
    }

    fn review_versions(&self, relaxed: RelaxedChecks, findings: &mut Findings<'_>) {
        let node = &self.review_versions;
        if !node.has_members() {
            findings.add_at_key(
                node,
                Problem {
                    code: Code::ConversionReviewVersionsRequired,
                    error: ErrorType::Required,
                    field: REVIEW_VERSIONS,
                    detail: String::new(),
                    advice: "add the versions of `ConversionReview` that the webhook supports, such as `[v1]`",
                },
            );
            return;
        }
        let mut seen: FxHashMap<Cow<'_, str>, TextRange> = FxHashMap::default();
        for (index, item) in node.items().enumerate() {
            let name = item.text();
            let field = format!("{REVIEW_VERSIONS}[{index}]");
            if let Some(first) = seen.get(&name) {
                let detail = "duplicate version".to_owned();
                let code = Code::ConversionReviewVersionDuplicate;
                let problem =
                    Problem { code, error: ErrorType::Invalid, field: &field, detail, advice: "remove one" };
                findings.add(&item, problem);
                findings.reword(Message::new(format!("`conversionReviewVersions` contains `{name}` twice")));
                findings.follows_from(*first, "listed here first");
                continue;
            }
            for detail in dns_1035_label(&name) {
                let code = Code::ConversionReviewVersionName;
                let problem = Problem { code, error: ErrorType::Invalid, field: &field, detail, advice: "" };
                findings.add(&item, problem);
            }
            seen.insert(name, item.range());
        }
        if !relaxed.review_versions && !self.is_recognized_or_empty() {
            findings.add_at_key(
                node,
                Problem {
                    code: Code::ConversionReviewVersionsRecognized,
                    error: ErrorType::Invalid,
                    field: REVIEW_VERSIONS,
                    detail: "must include at least one of v1, v1beta1".to_owned(),
                    advice: "list versions of `ConversionReview`, not of your kind",
                },
            );
            findings.reword(Message::new("`conversionReviewVersions` contains neither `v1` nor `v1beta1`"));
            findings.print_value(|| json_strings(node.items().map(|item| item.text())));
        }
    }
}

/// `ValidateWebhookURL`.
fn check_url(node: &Node<'_, '_>, text: &str, findings: &mut Findings<'_>) {
    const FORM: &str = "; desired format: https://host[/path]";
    const EXAMPLE: &str = "write `https://HOST/PATH`";
    let field = format!("{CLIENT_CONFIG}.url");
    let mut add = |error, part: &str, detail: String, words: (String, &str)| {
        let (code, (problem, advice)) = (Code::ConversionUrl, words);
        findings.add(node, Problem { code, error, field: &field, detail, advice });
        findings.reword(Message::new(problem));
        findings.print_value(|| if error == ErrorType::Required { String::new() } else { go::quoted(part) });
    };
    let url = match Url::read(text) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{FORM}");
            let problem = format!("`url` {}", reason(&error.to_string()));
            return add(ErrorType::Required, "", detail, (problem, EXAMPLE));
        }
    };
    let scheme = url.scheme();
    if scheme != "https" {
        let detail = format!("'https' is the only allowed URL scheme{FORM}");
        let words = match scheme {
            "" if text.is_empty() => ("`url` is empty".to_owned(), EXAMPLE),
            "" => ("`url` has no scheme".to_owned(), EXAMPLE),
            _ => (format!("`url` has the scheme `{scheme}`"), "use `https`"),
        };
        add(ErrorType::Invalid, scheme, detail, words);
    }
    if url.host().is_empty() {
        let problem = match scheme {
            "" if text.is_empty() => "`url` is empty",
            "" => "`url` has no host, because it has no scheme",
            _ => "`url` has no host",
        };
        let words = (problem.to_owned(), EXAMPLE);
        add(ErrorType::Invalid, "", format!("host must be specified{FORM}"), words);
    }
    if url.has_user() {
        let words = ("`url` contains a user name".to_owned(), "remove it, including the `@`");
        let detail = "user information is not permitted in the URL".to_owned();
        add(ErrorType::Invalid, &url.user(), detail, words);
    }
    if url.has_fragment() {
        let words = ("`url` has a fragment".to_owned(), "remove it, including the `#`");
        let detail = "fragments are not permitted in the URL".to_owned();
        add(ErrorType::Invalid, &url.fragment(), detail, words);
    }
    if !url.raw_query().is_empty() {
        let words = ("`url` has query parameters".to_owned(), "remove them, including the `?`");
        let detail = "query parameters are not permitted in the URL".to_owned();
        add(ErrorType::Invalid, url.raw_query(), detail, words);
    }
}

/// The reason why Go cannot parse a URL, for messages.
fn reason(error: &str) -> &'static str {
    const REASONS: [(&str, &str); 4] = [
        ("missing protocol scheme", "has no scheme"),
        ("invalid port", "has a port that is not a number"),
        ("in host name", "has a character that is not allowed in a host"),
        ("invalid URL escape", "has a `%` without two hexadecimal digits"),
    ];
    let known = REASONS.iter().find(|(begin, _)| error.contains(begin));
    known.map_or("is not a valid URL", |(_, reason)| reason)
}

/// `ValidateWebhookService`.
fn check_service(service: &Node<'_, '_>, version: KubernetesVersion, findings: &mut Findings<'_>) {
    let base = format!("{CLIENT_CONFIG}.service");
    let [name, namespace, path, port] = service.children(["name", "namespace", "path", "port"]);
    // The server passes the two in the wrong order, so that it names the other field.
    let pairs = [
        (&name, "namespace", Code::ConversionServiceName),
        (&namespace, "name", Code::ConversionServiceNamespace),
    ];
    for (node, server_name, code) in pairs {
        if node.text().is_empty() {
            let field = format!("{base}.{server_name}");
            let own = node.path().last().and_then(|segment| segment.key()).unwrap_or_default();
            let (state, verb) = if node.is_set() { ("empty", "write") } else { ("missing", "add") };
            let advice = format!("{verb} the {own} of the webhook's service");
            let detail = match version.has(Difference::DetailsWithoutField) {
                true => String::new(),
                false => format!("service {server_name} is required"),
            };
            let error = ErrorType::Required;
            findings.add(node, Problem { code, error, field: &field, detail, advice: &advice });
            findings.reword(Message::new(format!(
                "`service.{own}` is {state} (kube-apiserver names `{server_name}` instead)"
            )));
        }
    }
    if let Some(number) = port.integer().filter(|number| !(1..=65535).contains(number)) {
        let detail = "port is not valid: must be between 1 and 65535, inclusive".to_owned();
        let field = format!("{base}.port");
        let code = Code::ConversionServicePort;
        findings.add(
            &port,
            Problem {
                code,
                error: ErrorType::Invalid,
                field: &field,
                detail,
                advice: "use a port from 1 to 65535",
            },
        );
        findings.reword(Message::new(format!("`port` {number} is out of range")));
        findings.print_value(|| number.to_string());
    }
    for PathProblem { detail, problem, advice } in path_problems(&path.text()) {
        let field = format!("{base}.path");
        let code = Code::ConversionServicePath;
        findings.add(&path, Problem { code, error: ErrorType::Invalid, field: &field, detail, advice });
        findings.reword(Message::new(problem));
    }
}

/// A problem of the path of a webhook.
struct PathProblem {
    /// The server's detail.
    detail: String,
    /// Our problem.
    problem: &'static str,
    advice: &'static str,
}

impl PathProblem {
    fn new(detail: String, problem: &'static str) -> Self {
        Self { detail, problem, advice: "use a path such as `/convert`" }
    }

    fn empty(segment: usize) -> Self {
        Self::new(format!("segment[{segment}] may not be empty"), "`path` has an empty segment")
    }

    /// `text` is the error of a segment that is not a DNS subdomain.
    fn subdomain(segment: usize, text: &str) -> Self {
        let detail = format!("segment[{segment}]: {text}");
        match text.starts_with(TOO_LONG) {
            true => Self { detail, problem: "`path` has a segment that is too long", advice: "shorten it" },
            false => Self {
                detail,
                problem: "`path` has a segment that is not a DNS subdomain",
                advice: "use lowercase letters, digits, `-` and `.` between slashes",
            },
        }
    }
}

fn path_problems(path: &str) -> Vec<PathProblem> {
    match path {
        "" | "/" => return Vec::new(),
        "//" => return vec![PathProblem::empty(0)],
        _ => {}
    }
    let mut problems = Vec::new();
    if !path.starts_with('/') {
        problems.push(PathProblem::new("must start with a '/'".to_owned(), "`path` must start with `/`"));
    }
    // The first byte is always dropped; if that splits a character, the rest is not a valid name either.
    let rest = path.get(1..).unwrap_or(path);
    for (index, segment) in rest.strip_suffix('/').unwrap_or(rest).split('/').enumerate() {
        if segment.is_empty() {
            problems.push(PathProblem::empty(index));
            continue;
        }
        let texts = dns_1123_subdomain(segment);
        problems.extend(texts.iter().map(|text| PathProblem::subdomain(index, text)));
    }
    problems
}
