//! What `--help` adds to the options of a command: two examples and the exit statuses.

pub(crate) const CHECK: &str = "\
Examples:
  crd-ls check                                 all files below this directory
  crd-ls check --fix --crd crds/ samples/      fix what is safe, with definitions from crds/

Exit status: 0 without findings at or above --fail-on, 1 with findings, 2 if something could not be checked.";

pub(crate) const MIGRATE: &str = "\
Examples:
  crd-ls migrate crds/                         convert in place
  crd-ls migrate --diff crds/ | git apply      review the changes first

Exit status: 0 if all definitions are migrated, 1 if one is not or has errors left, 2 if a file could not be read.";

pub(crate) const GENERATE: &str = "\
Examples:
  crd-ls generate ./...                        write the files that controller-gen would write
  crd-ls generate --check ./api/v1             show stale files as a diff

Exit status: 0 without problems, 1 if controller-gen would report an error or, with --check, if a file is stale, 2 \
if it could not run.";

pub(crate) const COST: &str = "\
Examples:
  crd-ls cost crds/                            all rules, most expensive first
  crd-ls cost --html crds/ > costs.html        a picture, with the missing bounds

Exit status: 0, or 2 if a file could not be read.";

pub(crate) const DOCS: &str = "\
Examples:
  crd-ls docs crds/ > api.html                 one page of all definitions
  crd-ls docs - < crd.yaml                     of what another program writes

Exit status: 0, or 2 if a file could not be read.";

pub(crate) const OPENAPI: &str = "\
Examples:
  crd-ls openapi crd.yaml                      the schema of each served version
  crd-ls openapi --group-version example.com/v1 crds/

Exit status: 0, or 2 if a definition could not be read.";

pub(crate) const APPLY: &str = "\
Examples:
  crd-ls apply --dry-run --crd crd.yaml cr.yaml
  crd-ls apply --dry-run --base main samples/  as updates of what main has

Exit status: 0 if all resources are accepted, 1 if one is rejected, 2 if something could not be read.";

pub(crate) const GATES: &str = "\
Examples:
  crd-ls gates crds/
  crd-ls gates --output json crd.yaml

Exit status: 0, or 2 if a file could not be read.";

pub(crate) const EVAL: &str = "\
Examples:
  crd-ls eval crd.yaml cr.yaml                 all rules
  crd-ls eval --expression 'self.spec.size > 3' crd.yaml cr.yaml

Exit status: 0 if all rules hold, 1 if one does not, 2 if something could not be read.";

pub(crate) const SAMPLE: &str = "\
Examples:
  crd-ls sample Widget                         a kind that is defined below this directory
  crd-ls sample --version v1 crd.yaml

Exit status: 0, or 2 if there is no such kind or version.";

pub(crate) const REHEARSE: &str = "\
Examples:
  kubectl get widgets -A -o yaml | crd-ls rehearse --old old/ --new new/ --objects -
  crd-ls rehearse --old v1.yaml --new v2.yaml --objects dump/ >> $GITHUB_STEP_SUMMARY

Exit status: 0 if all objects stay valid and whole, 1 if something has to be done, 2 if something could not be read.";

pub(crate) const TEST: &str = "\
Examples:
  crd-ls test                                  all suites below this directory
  crd-ls test --filter replicas --output junit crds/

Exit status: 0 if all cases pass, 1 if one fails, 2 if a suite or a definition could not be read.";

pub(crate) const DIFF: &str = "\
Examples:
  crd-ls diff old.yaml new.yaml
  crd-ls diff --base merge-base crds/          since the branch left the main branch

Exit status: 0 if nothing breaks, 1 if something does (or may, with --fail-on risky), 2 if something could not be compared.";

pub(crate) const VERSIONS: &str = "\
Examples:
  crd-ls versions crd.yaml
  crd-ls versions --all --output json crds/

Exit status: 0, 1 if fields are lost between versions (see --fail-on), 2 if a file could not be read.";

pub(crate) const RULES: &str = "\
Examples:
  crd-ls rules
  crd-ls rules --output json

Exit status: 0.";

pub(crate) const EXPLAIN: &str = "\
Examples:
  crd-ls explain structural/type-required
  crd-ls explain cel/rule-cost

Exit status: 0, or 2 if there is no such rule.";
