//! Names of versions in the format of Kubernetes.

/// The stages of a version, from the least to the most mature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Alpha,
    Beta,
    Stable,
}

/// The name of a version, such as `v1` or `v2beta3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct VersionName {
    major: u32,
    stage: Stage,
    minor: u32,
}

impl VersionName {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix('v')?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (major, rest) = rest.split_at(digits);
        let major = major.parse().ok()?;
        let of = |stage, minor: &str| Some(Self { major, stage, minor: minor.parse().ok()? });
        match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
            (Some(minor), _) => of(Stage::Alpha, minor),
            (_, Some(minor)) => of(Stage::Beta, minor),
            _ => rest.is_empty().then_some(Self { major, stage: Stage::Stable, minor: 0 }),
        }
    }

    /// The sort key for the preference of clients: stable versions have the greatest keys.
    pub(crate) const fn maturity(self) -> (Stage, u32, u32) {
        (self.stage, self.major, self.minor)
    }

    pub(crate) const fn is_stable(self) -> bool {
        matches!(self.stage, Stage::Stable)
    }

    pub(crate) fn name(self) -> String {
        match self.stage {
            Stage::Alpha => format!("v{}alpha{}", self.major, self.minor),
            Stage::Beta => format!("v{}beta{}", self.major, self.minor),
            Stage::Stable => format!("v{}", self.major),
        }
    }

    /// The possible next versions, the smallest step first.
    pub(crate) fn next(self) -> Vec<Self> {
        let at = |major, stage, minor| Self { major, stage, minor };
        let Self { major, stage, minor } = self;
        let after = |stage| at(major, stage, if stage == Stage::Stable { 0 } else { 1 });
        match stage {
            Stage::Alpha => {
                vec![at(major, stage, minor.saturating_add(1)), after(Stage::Beta), after(Stage::Stable)]
            }
            Stage::Beta => vec![at(major, stage, minor.saturating_add(1)), after(Stage::Stable)],
            Stage::Stable => {
                let major = major.saturating_add(1);
                [Stage::Alpha, Stage::Beta, Stage::Stable]
                    .map(|stage| at(major, stage, u32::from(stage != Stage::Stable)))
                    .to_vec()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::VersionName;

    #[test]
    fn clients_prefer_stable_versions_to_later_ones() {
        let mut names = ["v2alpha1", "v1beta2", "v1", "v10", "v1beta10", "v2", "v3alpha1"];
        names.sort_by_key(|name| VersionName::parse(name).map(VersionName::maturity));
        assert_eq!(names, ["v2alpha1", "v3alpha1", "v1beta2", "v1beta10", "v1", "v2", "v10"]);
        for name in ["main", "v", "v1gamma1", "v1beta", "1"] {
            assert_eq!(VersionName::parse(name), None, "{name}");
        }
    }
}
