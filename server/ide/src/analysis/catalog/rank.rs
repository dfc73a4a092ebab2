//! The order of several definitions of a kind. [`TABLE`] declares how projects keep their definitions; the
//! other code of this module applies it.

use std::sync::Arc;

/// How a source of definitions is kept, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kept {
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
    kept: Kept,
    /// Whole names, or also words of names for sources that are set aside: `e2e-upgrade` has the word `e2e`.
    names: &'static [&'static str],
    /// The reason for users.
    reason: &'static str,
}

/// If a path matches several rows, the first takes precedence: a source that is set aside stays so whatever
/// the directories below are, and a built copy is a copy.
const TABLE: [Row; 10] = [
    Row {
        kept: Kept::Archived,
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
        kept: Kept::Test,
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
        kept: Kept::Example,
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
        kept: Kept::Vendored,
        names: &["node_modules", "third-party", "third_party", "thirdparty", "vendor", "vendored"],
        reason: "a copy of another project's definition",
    },
    Row {
        kept: Kept::Built,
        // The bundles of the operator framework, kubebuilder's installer, archives to publish.
        names: &["bundle", "bundles", "dist", "packaging"],
        reason: "a copy generated from other files",
    },
    // `config/crd` needs two names: see [`Keeping::kept`].
    Row {
        kept: Kept::Config,
        names: &[],
        reason: "in `config/crd`, where kubebuilder generates definitions",
    },
    Row { kept: Kept::Chart, names: &["chart", "charts", "helm"], reason: "in a Helm chart" },
    Row { kept: Kept::Crds, names: &["crd", "crds"], reason: "in a directory for definitions" },
    Row {
        kept: Kept::Deployed,
        names: &["deploy", "deployment", "deployments", "install", "kustomize", "manifest", "manifests"],
        reason: "among the manifests to install",
    },
    Row { kept: Kept::Generated, names: &[], reason: "written by a generator" },
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

/// The annotation by which controller-gen marks what it writes.
pub(super) const GENERATOR: &str = "controller-gen.kubebuilder.io/version";

impl Kept {
    /// Why a source that is kept so ranks where it does, for users.
    #[must_use]
    pub fn reason(self) -> &'static str {
        TABLE.iter().find(|row| row.kept == self).map_or("of unknown origin", |row| row.reason)
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
enum Sign {
    Kept(Kept),
    /// `config`, which has a meaning with `crd` below it.
    Config,
    Holder,
    None,
}

impl Sign {
    fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        // `00-crds` in a suite of numbered steps.
        let whole =
            name.trim_start_matches(|char: char| char.is_ascii_digit()).trim_start_matches(['-', '_']);
        let words = || name.split(|char: char| !char.is_ascii_alphanumeric());
        let row = TABLE.iter().find(|row| {
            let has_word = || words().any(|word| row.names.contains(&word));
            row.names.contains(&whole)
                || row.kept.is_aside() && has_word()
                || row.kept == Kept::Archived && holds_version(&name)
        });
        match row {
            Some(row) => Self::Kept(row.kept),
            None if whole == "config" => Self::Config,
            None if HOLDERS.contains(&whole) => Self::Holder,
            None => Self::None,
        }
    }

    fn is_aside(self) -> bool {
        matches!(self, Self::Kept(kept) if kept.is_aside())
    }

    /// Whether such a directory may hold definitions for its surroundings.
    fn holds(self) -> bool {
        match self {
            Self::Kept(kept) => matches!(kept, Kept::Crds | Kept::Deployed),
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
pub(super) struct Keeping {
    /// The signs of its directories.
    signs: Box<[Sign]>,
    /// Whether the file name has a release.
    is_of_release: bool,
    pub(super) is_generated: bool,
}

impl Keeping {
    pub(super) fn of(source: &str, is_generated: bool) -> Self {
        let name = source.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Self {
            signs: directories(source).map(Sign::of).collect(),
            is_of_release: holds_version(stem),
            is_generated,
        }
    }

    fn below(&self, base: usize) -> &[Sign] {
        self.signs.get(base..).unwrap_or_default()
    }

    /// How the source is kept. The first `base` directories contain the whole project and have no meaning.
    pub(super) fn kept(&self, base: usize) -> Kept {
        let signs = self.below(base);
        let has =
            |kept: Kept| signs.contains(&Sign::Kept(kept)) || kept == Kept::Archived && self.is_of_release;
        let is_in_config = || {
            let mut below_config = signs.iter().skip_while(|sign| **sign != Sign::Config);
            below_config.any(|sign| *sign == Sign::Kept(Kept::Crds))
        };
        let row = TABLE.iter().find(|row| match row.kept {
            Kept::Config => is_in_config(),
            Kept::Generated => self.is_generated,
            kept => has(kept),
        });
        row.map_or(Kept::Elsewhere, |row| row.kept)
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
        rest.iter().all(|sign| sign.holds()) || is_one_case && rest.iter().any(|sign| sign.holds())
    }
}

/// The rank of a definition among those of its kind, as seen from a resource: the lowest one validates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// In another text than the resource.
    pub(super) is_foreign: bool,
    /// Not named by the user for the file of the resource.
    pub(super) is_for_others: bool,
    pub(super) version: Version,
    /// Not named by the user.
    pub(super) is_found: bool,
    pub(super) is_broken: bool,
    /// Not beside the resource.
    pub(super) is_apart: bool,
    pub(super) tier: Kept,
    /// The more directories in common, the nearer.
    pub(super) distance: usize,
    pub(super) kept: Kept,
    pub(super) is_written: bool,
    pub(super) source: Arc<str>,
}

/// Whether a definition has a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    Served,
    Declared,
    Unknown,
}

/// Why this definition validates a resource, and not another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChosenBy {
    /// There is no other.
    Only,
    /// It is in the same file.
    SameFile,
    /// The user named it for this file, with `crds` of an override.
    Override,
    /// It serves the version, or at least declares it.
    Version,
    /// The user named it, with `crds` or `--crd`.
    Named,
    /// It has no syntax errors.
    Readable,
    /// It belongs to the same directory or test case.
    Beside,
    /// It is kept where projects keep the definitions that they ship.
    Kept,
    /// It is nearest by directories.
    Nearest,
    /// It is the first by path.
    First,
}

impl ChosenBy {
    /// The identifier for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Only => "only",
            Self::SameFile => "same-file",
            Self::Override => "override",
            Self::Version => "version",
            Self::Named => "named",
            Self::Readable => "readable",
            Self::Beside => "beside",
            Self::Kept => "kept",
            Self::Nearest => "nearest",
            Self::First => "first",
        }
    }

    /// The text for users.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Only => "the only definition",
            Self::SameFile => "in the same file",
            Self::Override => "named for this file by `crds` in `[[overrides]]`",
            Self::Version => "serves the version",
            Self::Named => "named by `crds` or `--crd`",
            Self::Readable => "has no syntax errors",
            Self::Beside => "in the same directory or test case",
            Self::Kept => "its directory or generator ranks higher",
            Self::Nearest => "in the nearest directory",
            Self::First => "first in alphabetical order",
        }
    }
}

impl Rank {
    /// Why this definition, which is the first, precedes `next`.
    pub(super) fn before(&self, next: Option<&Self>) -> ChosenBy {
        let Some(next) = next else { return ChosenBy::Only };
        match () {
            () if self.is_foreign != next.is_foreign => ChosenBy::SameFile,
            () if self.is_for_others != next.is_for_others => ChosenBy::Override,
            () if self.version != next.version => ChosenBy::Version,
            () if self.is_found != next.is_found => ChosenBy::Named,
            () if self.is_broken != next.is_broken => ChosenBy::Readable,
            () if self.is_apart != next.is_apart => ChosenBy::Beside,
            () if self.tier != next.tier => ChosenBy::Kept,
            () if self.distance != next.distance => ChosenBy::Nearest,
            () if (self.kept, self.is_written) != (next.kept, next.is_written) => ChosenBy::Kept,
            () => ChosenBy::First,
        }
    }

    /// Whether `other` may overrule this definition, which validates: only the path puts this one first, or
    /// the other one is kept better and is only further away. Definitions in the same file or named by the
    /// user are never overruled.
    pub(super) fn yields_to(&self, other: &Self) -> bool {
        let is_free = self.is_foreign && self.is_for_others && self.is_found;
        let is_fit = other.version == Version::Served && !other.is_broken;
        let is_equal = (other.is_apart, other.tier, other.distance, other.kept, other.is_written)
            == (self.is_apart, self.tier, self.distance, self.kept, self.is_written);
        is_free && is_fit && (is_equal || other.kept.tier() < self.kept.tier())
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::catalog::rank::*;

    #[test]
    fn a_path_shows_the_role_of_a_definition() {
        for (path, kept) in [
            ("config/crd/bases/a.yaml", Kept::Config),
            ("core/config/crd/bases/a.yaml", Kept::Config),
            ("config/core/crds/a.yaml", Kept::Config),
            ("crds/a.yaml", Kept::Crds),
            ("deploy/crds/a.yaml", Kept::Crds),
            ("pkg/apis/crds/a.yaml", Kept::Crds),
            ("config/crds/v1/all.yaml", Kept::Config),
            ("helm/operator/crds/a.example.com-v1.yml", Kept::Chart),
            ("charts/operator/templates/a.yaml", Kept::Chart),
            ("deploy/operator.yaml", Kept::Deployed),
            ("bundle/community/manifests/a.yaml", Kept::Built),
            ("dist/install.yaml", Kept::Built),
            ("a.yaml", Kept::Elsewhere),
            ("pkg/latest/a.yaml", Kept::Elsewhere),
            ("third_party/cert-manager/crds/a.yaml", Kept::Vendored),
            ("node_modules/cdk8s/crds/a.yaml", Kept::Vendored),
            ("examples/operator/charts/operator/crds/a.yaml", Kept::Example),
            ("docs/a.yaml", Kept::Example),
            ("internal/controller/testdata/crds/a.yaml", Kept::Test),
            ("api/src/test/resources/pre-configuration-crd.yml", Kept::Test),
            ("tests/e2e-rollout/crds/a.yaml", Kept::Test),
            ("tests/e2e-upgrade/rollout/a.yaml", Kept::Archived),
            ("releases/operator.yaml", Kept::Archived),
            ("operators/widget/1.2.3/manifests/a.yaml", Kept::Archived),
            ("deploy/operator-v0.86.0.yaml", Kept::Archived),
            // Names that only contain such a word.
            ("testkube-operator/config/crd/a.yaml", Kept::Config),
            ("contest/crds/a.yaml", Kept::Crds),
            ("config/crd/testkube.io_tests.yaml", Kept::Config),
        ] {
            assert_eq!(Keeping::of(path, false).kept(0), kept, "{path}");
        }
        assert_eq!(Keeping::of("apis/a.yaml", true).kept(0), Kept::Generated);
        assert_eq!(Keeping::of("testdata/a.yaml", true).kept(0), Kept::Test);
    }

    #[test]
    fn directories_around_the_project_have_no_meaning() {
        let path = "/home/test/examples/project/config/crd/a.yaml";
        let base = directories("/home/test/examples/project/a.yaml").count();
        assert_eq!(Keeping::of(path, false).kept(base), Kept::Config);
        assert_eq!(Keeping::of(path, false).kept(0), Kept::Test);
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
            let keeping = Keeping::of(definition, false);
            let shared = shared_directories(definition, resource);
            assert_eq!(keeping.is_beside(0, shared, resource), is_beside, "{definition} {resource}");
        }
    }

    #[test]
    fn every_role_has_its_reason_in_the_table() {
        let all = TABLE.iter().map(|row| row.kept);
        for kept in all {
            assert!(!kept.reason().starts_with("of unknown"), "{kept:?}");
        }
        assert!(Kept::Elsewhere.reason().starts_with("of unknown"));
    }
}
