//! Conversion between versions.

use crate::rules::Rule;
use crate::{KubernetesVersion, Severity};

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "conversion/strategy-required",
        severity: Severity::Error,
        since: None,
        title: "`conversion` needs a `strategy`.",
        checks: r#"`spec.conversion.strategy` is missing or empty while `conversion` is there.

    spec.conversion.strategy: Required value"#,
        why: "Without `conversion` the strategy is `None`; whoever writes the block has to choose.",
        wrong: r#"spec:
  conversion:
    strategy: """#,
        right: r#"spec:
  conversion:
    strategy: None"#,
        fix: "*Suggested*: writes `Webhook` or `None`; *safe* where there is a `webhook`.",
        source: "Check 56 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/strategy-unsupported",
        severity: Severity::Error,
        since: None,
        title: "`strategy` must be `None` or `Webhook`.",
        checks: r#"The text is another one; capitals count.

    spec.conversion.strategy: Unsupported value: "webhook": supported values: "None", "Webhook""#,
        why: "There are no other strategies.",
        wrong: r#"spec:
  conversion:
    strategy: none"#,
        right: r#"spec:
  conversion:
    strategy: None"#,
        fix: "*Safe*: writes it with a capital, where nothing else is wrong with it; otherwise both are offered.",
        source: "Check 57 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/preserve-unknown-fields",
        severity: Severity::Error,
        since: None,
        title: "Conversion by webhook and `preserveUnknownFields: true` exclude each other.",
        checks: r#"The strategy is not `None` while `spec.preserveUnknownFields` is `true`.

    spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true"#,
        why: "A webhook gets objects that fit their schema.",
        wrong: "",
        right: "",
        fix: "*Suggested*: writes `preserveUnknownFields: false`, or moves it to the schemas.",
        source: "Check 55 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/client-config-required",
        severity: Severity::Error,
        since: None,
        title: "Conversion by webhook needs `webhook.clientConfig`.",
        checks: r#"The strategy is `Webhook` and `spec.conversion.webhook.clientConfig` is missing. The server names the place `spec.conversion.webhookClientConfig`.

    spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook"#,
        why: "The server would not know whom to ask.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: webhook, path: /convert}
      conversionReviewVersions: [v1]"#,
        fix: "*Safe*: moves what v1beta1 has in `conversion` to `webhook`. *Suggested*: adds a webhook to be filled in, or writes `strategy: None`.",
        source: "Check 58 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/url-xor-service",
        severity: Severity::Error,
        since: None,
        title: "A webhook has either `url` or `service`.",
        checks: r#"Both or neither are set.

    spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required"#,
        why: "There is one webhook.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig: {}
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1]"#,
        fix: "*Suggested*: removes one of them, or adds a service to be filled in.",
        source: "Check 59 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/url",
        severity: Severity::Error,
        since: None,
        title: "The `url` of a webhook is not an `https` address.",
        checks: r#"It can be read as a URL, has the scheme `https` and a host, and no user, query or fragment.

    spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]"#,
        why: "The server sends objects there; they must not be read or changed on the way.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: http://example.com/convert
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1]"#,
        fix: "*Suggested*: writes the address with `https`, without a user and without what stands behind the path.",
        source: "Checks 60–62 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/service-name",
        severity: Severity::Error,
        since: None,
        title: "The service of a webhook needs a `name`.",
        checks: r#"`service.name` is empty. The server names the place `service.namespace`: it takes the two for each other.

    spec.conversion.webhookClientConfig.service.namespace: Required value"#,
        why: "The server would not know which service to ask.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: ""}
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: webhook}
      conversionReviewVersions: [v1]"#,
        fix: "None: write the name.",
        source: "Check 63 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/service-namespace",
        severity: Severity::Error,
        since: None,
        title: "The service of a webhook needs a `namespace`.",
        checks: r#"`service.namespace` is empty. The server names the place `service.name`: it takes the two for each other.

    spec.conversion.webhookClientConfig.service.name: Required value"#,
        why: "A definition has no namespace in which the service could be looked for.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: "", name: webhook}
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: webhook}
      conversionReviewVersions: [v1]"#,
        fix: "None: write the namespace.",
        source: "Check 63 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/service-port",
        severity: Severity::Error,
        since: None,
        title: "The port of a webhook's service must be between 1 and 65535.",
        checks: r#"The number; 443 where there is none.

    spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive"#,
        why: "There are no other ports.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: webhook, port: 0}
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: webhook, port: 9443}
      conversionReviewVersions: [v1]"#,
        fix: "*Suggested*: removes it; 443 is meant then.",
        source: "Check 64 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/service-path",
        severity: Severity::Error,
        since: None,
        title: "The path of a webhook's service is not a path of DNS names.",
        checks: r#"It begins with `/`, and each part between slashes is a DNS subdomain in lower case.

    spec.conversion.webhookClientConfig.service.path: Invalid value: "convert": must start with a '/'"#,
        why: "The path becomes part of a URL.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: webhook, path: /a//b}
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {namespace: widgets, name: webhook, path: /a/b}
      conversionReviewVersions: [v1]"#,
        fix: "*Suggested*: begins it with a slash and drops empty steps.",
        source: "Check 65 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/ca-bundle",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 31 }),
        title: "The `caBundle` of a webhook holds no certificates.",
        checks: r#"On update, once the stored definition is established and its own bundle was good: the bytes can be read as PEM certificates.

    spec.conversion.webhookClientConfig.caBundle: Invalid value: "...": unable to load root certificates: unable to parse bytes as PEM block"#,
        why: "Every conversion would fail. On create, tools such as cert-manager fill it in later.",
        wrong: "",
        right: "",
        fix: "None: put the certificate in as base64 of its PEM text, or leave it to the tool that manages it.",
        source: "Check 66 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/webhook-forbidden",
        severity: Severity::Error,
        since: None,
        title: "`webhook.clientConfig` stands beside another strategy than `Webhook`.",
        checks: r#"`spec.conversion.webhook.clientConfig` is set and the strategy is not `Webhook`.

    spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook"#,
        why: "Nobody would ever ask the webhook.",
        wrong: r#"spec:
  conversion:
    strategy: None
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: []"#,
        right: r#"spec:
  conversion:
    strategy: None"#,
        fix: "*Suggested*: writes `strategy: Webhook`, or removes `webhook`.",
        source: "Check 67 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/review-versions-forbidden",
        severity: Severity::Error,
        since: None,
        title: "`conversionReviewVersions` stands beside another strategy than `Webhook`.",
        checks: r#"`spec.conversion.webhook.conversionReviewVersions` is set and the strategy is not `Webhook`.

    spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook"#,
        why: "Nobody would ever ask the webhook.",
        wrong: r#"spec:
  conversion:
    strategy: None
    webhook:
      conversionReviewVersions: [v1]"#,
        right: r#"spec:
  conversion:
    strategy: None"#,
        fix: "*Suggested*: writes `strategy: Webhook`, or removes `webhook`.",
        source: "Check 68 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/review-versions-required",
        severity: Severity::Error,
        since: None,
        title: "Conversion by webhook needs `conversionReviewVersions`.",
        checks: r#"The strategy is `Webhook` and the list is missing or empty.

    spec.conversion.conversionReviewVersions: Required value"#,
        why: "The server sends a `ConversionReview` of the first version in the list that it knows.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: []"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1]"#,
        fix: "*Safe*: moves what v1beta1 has in `conversion` to `webhook`. *Suggested*: writes `[v1]`, which the webhook must understand.",
        source: "Check 69 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/review-version-duplicate",
        severity: Severity::Error,
        since: None,
        title: "`conversionReviewVersions` names a version twice.",
        checks: r#"The names in the list are all different.

    spec.conversion.conversionReviewVersions[1]: Invalid value: "v1": duplicate version"#,
        why: "The second one is never reached.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1, v1]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1]"#,
        fix: "*Safe*: removes the second one.",
        source: "Check 70 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/review-version-name",
        severity: Severity::Error,
        since: None,
        title: "A name in `conversionReviewVersions` is not a DNS label.",
        checks: "At most 63 letters, digits and `-`, in lower case, that begin with a letter and do not end with `-`.",
        why: "Names of versions are DNS labels.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1, V2]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1]"#,
        fix: "None: correct the name.",
        source: "Check 71 of this project's list of server checks.",
    },
    Rule {
        code: "conversion/review-versions-recognized",
        severity: Severity::Error,
        since: None,
        title: "`conversionReviewVersions` names no version that the server knows.",
        checks: r#"The list holds `v1` or `v1beta1`.

    spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1"#,
        why: "The server could not ask the webhook.",
        wrong: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v2]"#,
        right: r#"spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://example.com/convert
      conversionReviewVersions: [v1]"#,
        fix: "*Suggested*: adds `v1`, which the webhook must understand.",
        source: "Check 72 of this project's list of server checks.",
    },
];
