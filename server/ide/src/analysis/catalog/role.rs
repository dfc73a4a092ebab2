//! How a project keeps a source of definitions, as far as its path and its text show it. [`TABLE`] declares the
//! meanings of directory names; the other code of this module applies it.

/// How a source of definitions is kept, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceRole {
    /// In the directory that kubebuilder generates.
    Config,
    /// In a directory for definitions.
    Crds,
    /// In a Helm chart.
    Chart,
    /// Among the manifests to be installed.
    Deployed,
    /// Anywhere, with the mark of a generator.
    Generated,
    /// In a directory of build output.
    Built,
    /// Anywhere.
    Elsewhere,
    /// A copy from another project.
    Vendored,
    /// Part of an example or of documentation.
    Example,
    /// Part of a test.
    Test,
    /// From an earlier release.
    Archived,
}

/// The meaning of directory names.
struct Row {
    role: SourceRole,
    /// Whole names, or also words of names for sources that are set aside: `e2e-upgrade` has the word `e2e`.
    names: &'static [&'static str],
    /// The reason for users.
    reason: &'static str,
}

/// If a path matches several rows, the first takes precedence: a source that is set aside stays so in any directory, and
/// a built copy is a copy.
const TABLE: [Row; 10] = [
    Row {
        role: SourceRole::Archived,
        // And names with a version such as `v0.86.0`: see [`holds_version`].
        names: &[
            "archive",
            "archived",
            "archives",
            "backup",
            "deprecated",
            "history",
            "legacy",
            "obsolete",
            "old",
            "previous",
            "release",
            "releases",
            "upgrade",
            "upgrades",
        ],
        reason: "part of an earlier release",
    },
    Row {
        role: SourceRole::Test,
        names: &[
            "bench",
            "benchmark",
            "benchmarks",
            "chainsaw",
            "conformance",
            "e2e",
            "fixture",
            "fixtures",
            "integration",
            "kuttl",
            "mock",
            "mocks",
            "systemtest",
            "test",
            "testdata",
            "testing",
            "tests",
            "testsuite",
            "testsuites",
        ],
        reason: "part of a test",
    },
    Row {
        role: SourceRole::Example,
        names: &[
            "demo",
            "demos",
            "doc",
            "docs",
            "documentation",
            "example",
            "examples",
            "quickstart",
            "sample",
            "samples",
            "tutorial",
            "tutorials",
            "website",
        ],
        reason: "part of an example or of documentation",
    },
    Row {
        role: SourceRole::Vendored,
        names: &["node_modules", "third-party", "third_party", "thirdparty", "vendor", "vendored"],
        reason: "a copy of another project's definition",
    },
    Row {
        role: SourceRole::Built,
        // The bundles of the operator framework, kubebuilder's installer, archives to publish.
        names: &["bundle", "bundles", "dist", "packaging"],
        reason: "a copy generated from other files",
    },
    // `config/crd` needs two names: see [`RoleSigns::role`].
    Row {
        role: SourceRole::Config,
        names: &[],
        reason: "in `config/crd`, where kubebuilder generates definitions",
    },
    Row { role: SourceRole::Chart, names: &["chart", "charts", "helm"], reason: "in a Helm chart" },
    Row { role: SourceRole::Crds, names: &["crd", "crds"], reason: "in a directory for definitions" },
    Row {
        role: SourceRole::Deployed,
        names: &["deploy", "deployment", "deployments", "install", "kustomize", "manifest", "manifests"],
        reason: "among the manifests to install",
    },
    Row { role: SourceRole::Generated, names: &[], reason: "written by a generator" },
];

/// Further directory names that hold definitions for their surroundings, but do not show by themselves how
/// these are kept.
const HOLDERS: [&str; 10] = [
    "base",
    "bases",
    "config",
    "definitions",
    "generated",
    "prerequisites",
    "resources",
    "schemas",
    "setup",
    "templates",
];

/// The annotation that controller-gen adds to its definitions.
pub(super) const GENERATOR: &str = "controller-gen.kubebuilder.io/version";

impl SourceRole {
    /// Why a source that is kept so ranks where it does, for users.
    #[must_use]
    pub fn reason(self) -> &'static str {
        TABLE.iter().find(|row| row.role == self).map_or("of unknown origin", |row| row.reason)
    }

    /// Whether this is how a project keeps the definitions that it ships.
    #[must_use]
    pub fn is_home(self) -> bool {
        self < Self::Elsewhere
    }

    /// The value for comparisons: all homes are equal, so that only the distance decides between them.
    pub(super) fn tier(self) -> Self {
        if self.is_home() { Self::Config } else { self }
    }

    /// Whether it is set aside: its definitions are meant for the resources beside them.
    fn is_aside(self) -> bool {
        self > Self::Elsewhere
    }
}

/// The meaning of one directory name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DirectoryMeaning {
    SourceRole(SourceRole),
    /// `config`, which has a meaning with `crd` below it.
    Config,
    Holder,
    None,
}

impl DirectoryMeaning {
    fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        // `00-crds` in a suite of numbered steps.
        let whole =
            name.trim_start_matches(|char: char| char.is_ascii_digit()).trim_start_matches(['-', '_']);
        let words = || name.split(|char: char| !char.is_ascii_alphanumeric());
        let row = TABLE.iter().find(|row| {
            let has_word = || words().any(|word| row.names.contains(&word));
            row.names.contains(&whole)
                || row.role.is_aside() && has_word()
                || row.role == SourceRole::Archived && holds_version(&name)
        });
        match row {
            Some(row) => Self::SourceRole(row.role),
            None if whole == "config" => Self::Config,
            None if HOLDERS.contains(&whole) => Self::Holder,
            None => Self::None,
        }
    }

    fn is_aside(self) -> bool {
        matches!(self, Self::SourceRole(role) if role.is_aside())
    }

    /// Whether such a directory may hold definitions for its surroundings.
    fn may_hold_definitions(self) -> bool {
        match self {
            Self::SourceRole(role) => matches!(role, SourceRole::Crds | SourceRole::Deployed),
            Self::Config | Self::Holder => true,
            Self::None => false,
        }
    }
}

/// Whether a name ends with a release, or holds one between dashes: `v0.86.0`, `operator-1.4`. An API version
/// such as `v1` is no release.
fn holds_version(name: &str) -> bool {
    name.split(['-', '_']).any(|part| {
        let part = part.strip_prefix('v').unwrap_or(part);
        let mut numbers = part.split('.');
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        numbers.next().is_some_and(is_number) && numbers.next().is_some_and(is_number)
    })
}

/// The directories of a path or URI.
pub(super) fn directories(source: &str) -> impl Iterator<Item = &str> {
    let directory = source.rfind(['/', '\\']).and_then(|end| source.get(..end));
    directory.into_iter().flat_map(|directory| directory.split(['/', '\\']))
}

/// How many directories two paths or URIs have in common.
pub(super) fn shared_directories(one: &str, other: &str) -> usize {
    directories(one).zip(directories(other)).take_while(|(one, other)| one == other).count()
}

/// How one source is kept, as far as its path and text show it; computed once.
#[derive(Clone, Debug)]
pub(super) struct RoleSigns {
    /// The signs of its directories.
    signs: Box<[DirectoryMeaning]>,
    /// Whether the file name has a release.
    is_of_release: bool,
    pub(super) is_generated: bool,
}

impl RoleSigns {
    pub(super) fn of(source: &str, is_generated: bool) -> Self {
        let name = source.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Self {
            signs: directories(source).map(DirectoryMeaning::of).collect(),
            is_of_release: holds_version(stem),
            is_generated,
        }
    }

    fn below(&self, base: usize) -> &[DirectoryMeaning] {
        self.signs.get(base..).unwrap_or_default()
    }

    /// How the source is kept. The first `base` directories contain the whole project and have no meaning.
    pub(super) fn role(&self, base: usize) -> SourceRole {
        let signs = self.below(base);
        let has = |role: SourceRole| {
            signs.contains(&DirectoryMeaning::SourceRole(role))
                || role == SourceRole::Archived && self.is_of_release
        };
        let is_in_config = || {
            let mut below_config = signs.iter().skip_while(|sign| **sign != DirectoryMeaning::Config);
            below_config.any(|sign| *sign == DirectoryMeaning::SourceRole(SourceRole::Crds))
        };
        let row = TABLE.iter().find(|row| match row.role {
            SourceRole::Config => is_in_config(),
            SourceRole::Generated => self.is_generated,
            role => has(role),
        });
        row.map_or(SourceRole::Elsewhere, |row| row.role)
    }

    /// Whether the source belongs to `from`, a source that shares its first `shared` directories: both are in
    /// the same directory or test case, and it is kept there for its surroundings. A test suite belongs
    /// together.
    pub(super) fn is_beside(&self, base: usize, shared: usize, from: &str) -> bool {
        if shared <= base {
            return false;
        }
        let rest = self.below(shared);
        let is_together = rest.is_empty() && directories(from).count() == shared;
        if is_together || self.is_of_release || rest.iter().any(|sign| sign.is_aside()) {
            return is_together;
        }
        // Below `tests/one`, everything belongs to that case. Below `tests`, a separate directory does not.
        let common = self.signs.get(base..shared).unwrap_or_default();
        let aside = common.iter().rposition(|sign| sign.is_aside());
        let is_one_case = aside.is_some_and(|at| at + 1 < common.len());
        rest.iter().all(|sign| sign.may_hold_definitions())
            || is_one_case && rest.iter().any(|sign| sign.may_hold_definitions())
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::catalog::role::*;

    #[test]
    fn a_path_shows_the_role_of_a_definition() {
        for (path, role) in [
            ("config/crd/bases/a.yaml", SourceRole::Config),
            ("core/config/crd/bases/a.yaml", SourceRole::Config),
            ("config/core/crds/a.yaml", SourceRole::Config),
            ("crds/a.yaml", SourceRole::Crds),
            ("deploy/crds/a.yaml", SourceRole::Crds),
            ("pkg/apis/crds/a.yaml", SourceRole::Crds),
            ("config/crds/v1/all.yaml", SourceRole::Config),
            ("helm/operator/crds/a.example.com-v1.yml", SourceRole::Chart),
            ("charts/operator/templates/a.yaml", SourceRole::Chart),
            ("deploy/operator.yaml", SourceRole::Deployed),
            ("bundle/community/manifests/a.yaml", SourceRole::Built),
            ("dist/install.yaml", SourceRole::Built),
            ("a.yaml", SourceRole::Elsewhere),
            ("pkg/latest/a.yaml", SourceRole::Elsewhere),
            ("third_party/cert-manager/crds/a.yaml", SourceRole::Vendored),
            ("node_modules/cdk8s/crds/a.yaml", SourceRole::Vendored),
            ("examples/operator/charts/operator/crds/a.yaml", SourceRole::Example),
            ("docs/a.yaml", SourceRole::Example),
            ("internal/controller/testdata/crds/a.yaml", SourceRole::Test),
            ("api/src/test/resources/pre-configuration-crd.yml", SourceRole::Test),
            ("tests/e2e-rollout/crds/a.yaml", SourceRole::Test),
            ("tests/e2e-upgrade/rollout/a.yaml", SourceRole::Archived),
            ("releases/operator.yaml", SourceRole::Archived),
            ("operators/widget/1.2.3/manifests/a.yaml", SourceRole::Archived),
            ("deploy/operator-v0.86.0.yaml", SourceRole::Archived),
            // Names that only contain such a word.
            ("testkube-operator/config/crd/a.yaml", SourceRole::Config),
            ("contest/crds/a.yaml", SourceRole::Crds),
            ("config/crd/testkube.io_tests.yaml", SourceRole::Config),
        ] {
            assert_eq!(RoleSigns::of(path, false).role(0), role, "{path}");
        }
        assert_eq!(RoleSigns::of("apis/a.yaml", true).role(0), SourceRole::Generated);
        assert_eq!(RoleSigns::of("testdata/a.yaml", true).role(0), SourceRole::Test);
    }

    #[test]
    fn directories_around_the_project_have_no_meaning() {
        let path = "/home/test/examples/project/config/crd/a.yaml";
        let base = directories("/home/test/examples/project/a.yaml").count();
        assert_eq!(RoleSigns::of(path, false).role(base), SourceRole::Config);
        assert_eq!(RoleSigns::of(path, false).role(0), SourceRole::Test);
    }

    #[test]
    fn a_suite_stays_together() {
        for (definition, resource, is_beside) in [
            ("tests/one/crd.yaml", "tests/one/widget.yaml", true),
            ("tests/one/v1.0.0.yaml", "tests/one/widget.yaml", true),
            ("tests/one/crds/crd.yaml", "tests/one/widget.yaml", true),
            ("tests/one/crds/crd.yaml", "tests/one/steps/01/widget.yaml", true),
            ("tests/one/operator/crds/crd.yaml", "tests/one/widget.yaml", true),
            ("testdata/crds/crd.yaml", "testdata/two/widget.yaml", true),
            ("testdata/crd.yaml", "testdata/two/widget.yaml", true),
            ("examples/one/charts/operator/crds/crd.yaml", "examples/one/widget.yaml", true),
            ("releases/1.0/crds/crd.yaml", "releases/1.0/samples/widget.yaml", true),
            ("config/crd/bases/crd.yaml", "config/samples/widget.yaml", true),
            ("tests/one/crd.yaml", "tests/two/widget.yaml", false),
            ("tests/one/crds/crd.yaml", "tests/two/widget.yaml", false),
            ("tests/helm/widget-crds/rendered.yaml", "tests/two/widget.yaml", false),
            ("tests/00-crds/crd.yaml", "tests/two/widget.yaml", true),
            ("tests/one/old/crd.yaml", "tests/one/widget.yaml", false),
            ("tests/operator-v0.86.0.yaml", "tests/two/widget.yaml", false),
            ("crd.yaml", "widget.yaml", false),
            ("crds/crd.yaml", "samples/widget.yaml", false),
        ] {
            let role_signs = RoleSigns::of(definition, false);
            let shared = shared_directories(definition, resource);
            assert_eq!(role_signs.is_beside(0, shared, resource), is_beside, "{definition} {resource}");
        }
    }

    #[test]
    fn every_role_has_its_reason_in_the_table() {
        let all = TABLE.iter().map(|row| row.role);
        for role in all {
            assert!(!role.reason().starts_with("of unknown"), "{role:?}");
        }
        assert!(SourceRole::Elsewhere.reason().starts_with("of unknown"));
    }
}
