//! The platforms of a release, with their names in package managers.

/// A platform.
#[derive(Debug)]
pub(crate) struct Target {
    /// The name in Rust.
    pub(crate) triple: &'static str,
    /// The values for npm: `os`, `cpu` and, on Linux, `libc`.
    pub(crate) npm: (&'static str, &'static str, Option<&'static str>),
    /// The platform tag of a wheel; for glibc programs, it depends on the version that they need.
    pub(crate) wheel: &'static str,
    /// The name in VS Code.
    pub(crate) vscode: &'static str,
    pub(crate) linking: Linker,
}

/// The linker of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linker {
    /// zig, on any machine, with this version of glibc, so that the program also runs on old distributions.
    Glibc(&'static str),
    /// zig, statically, on any machine.
    Musl,
    /// Only the linker and the libraries of that system.
    Native { system: &'static str },
}

const MACOS: Linker = Linker::Native { system: "macos" };
const WINDOWS: Linker = Linker::Native { system: "windows" };
/// The version in Debian 10 and RHEL 8.
const GLIBC: Linker = Linker::Glibc("2.28");

/// All platforms; `deny.toml` lists the same.
pub(crate) const TARGETS: [Target; 8] = [
    Target {
        triple: "x86_64-unknown-linux-gnu",
        npm: ("linux", "x64", Some("glibc")),
        wheel: "x86_64",
        vscode: "linux-x64",
        linking: GLIBC,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        npm: ("linux", "arm64", Some("glibc")),
        wheel: "aarch64",
        vscode: "linux-arm64",
        linking: GLIBC,
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        npm: ("linux", "x64", Some("musl")),
        wheel: "musllinux_1_2_x86_64",
        vscode: "alpine-x64",
        linking: Linker::Musl,
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        npm: ("linux", "arm64", Some("musl")),
        wheel: "musllinux_1_2_aarch64",
        vscode: "alpine-arm64",
        linking: Linker::Musl,
    },
    Target {
        triple: "x86_64-apple-darwin",
        npm: ("darwin", "x64", None),
        wheel: "macosx_10_12_x86_64",
        vscode: "darwin-x64",
        linking: MACOS,
    },
    Target {
        triple: "aarch64-apple-darwin",
        npm: ("darwin", "arm64", None),
        wheel: "macosx_11_0_arm64",
        vscode: "darwin-arm64",
        linking: MACOS,
    },
    Target {
        triple: "x86_64-pc-windows-msvc",
        npm: ("win32", "x64", None),
        wheel: "win_amd64",
        vscode: "win32-x64",
        linking: WINDOWS,
    },
    Target {
        triple: "aarch64-pc-windows-msvc",
        npm: ("win32", "arm64", None),
        wheel: "win_arm64",
        vscode: "win32-arm64",
        linking: WINDOWS,
    },
];

impl Target {
    pub(crate) fn is_windows(&self) -> bool {
        self.linking == WINDOWS
    }

    /// The file name of the program on this platform.
    pub(crate) fn program(&self) -> &'static str {
        if self.is_windows() { "crd-ls.exe" } else { "crd-ls" }
    }

    /// The name of the npm package with the program.
    pub(crate) fn npm_package(&self) -> String {
        let (system, processor, library) = self.npm;
        let library = if library == Some("musl") { "-musl" } else { "" };
        format!("@crd-ls/{system}-{processor}{library}")
    }

    /// The name of the archive.
    pub(crate) fn archive(&self) -> String {
        format!("crd-ls-{}.{}", self.triple, if self.is_windows() { "zip" } else { "tar.gz" })
    }

    /// Whether this machine runs programs for this platform.
    pub(crate) fn is_this_machine(&self) -> bool {
        let libc = if cfg!(target_env = "musl") { "musl" } else { "gnu" };
        let system = match std::env::consts::OS {
            "linux" => format!("unknown-linux-{libc}"),
            "macos" => "apple-darwin".to_owned(),
            "windows" => "pc-windows-msvc".to_owned(),
            other => other.to_owned(),
        };
        self.triple == format!("{}-{system}", std::env::consts::ARCH)
    }
}
