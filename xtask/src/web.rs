//! The module for browsers, the npm package around it, and the playground.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place;

const TARGET: &str = "wasm32-unknown-unknown";
/// The path of a distribution's compiler, with the source of its standard library.
const SYSTEM_COMPILER: &str = "/usr/bin/rustc";
/// Deep documents need as much stack as a thread of the program has.
const STACK: &str = "link-arg=-zstack-size=16777216";

/// The toolchain that compiles for browsers.
enum Toolchain {
    /// The target is installed with rustup.
    Installed,
    /// The system's compiler, which builds the standard library from its source.
    System(PathBuf),
}

impl Toolchain {
    fn find() -> Option<Self> {
        let run_program = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let installed = run_program("rustup", &["target", "list", "--installed"]);
        if installed.is_some_and(|targets| targets.lines().any(|target| target == TARGET)) {
            return Some(Self::Installed);
        }
        let compiler = PathBuf::from(SYSTEM_COMPILER);
        let root = run_program(SYSTEM_COMPILER, &["--print", "sysroot"])?;
        let has_source = Path::new(&root).join("lib/rustlib/src/rust/library/std/Cargo.toml").exists();
        let has_linker = run_program("wasm-ld", &["--version"]).is_some();
        (has_source && has_linker).then_some(Self::System(compiler))
    }

    fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.args(["rustc", "--profile", "wasm", "--target", TARGET, "-p", "crd-ls-web", "--lib"]);
        cargo.args(["--crate-type", "cdylib"]);
        if let Self::System(compiler) = self {
            // The compiler of a distribution is a release, which builds the standard library only with
            // `RUSTC_BOOTSTRAP`.
            // Its package has no `rust-lld`, which rustc calls by itself.
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
            cargo.env("RUSTC", compiler).env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
        }
        cargo.args(["--", "-C", STACK]);
        cargo
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Installed => "rustup's target wasm32-unknown-unknown",
            Self::System(_) => "the system's rustc, which builds the standard library",
        }
    }
}

/// Builds everything below `web/`. Without a toolchain, it fails or, if `optional`, prints that it is skipped.
pub(crate) fn run(optional: bool) -> Result<(), String> {
    let Some(toolchain) = Toolchain::find() else {
        let remedy = format!(
            "no toolchain for {TARGET}: `rustup target add {TARGET}`, or on Debian `apt install rustc-web rust-web-src lld`"
        );
        if optional {
            println!("skipped: {remedy}");
            return Ok(());
        }
        return Err(remedy);
    };
    println!("web: compiled by {}", toolchain.name());
    let repository = place::repository();
    // A separate directory: two compilers that share one would rebuild everything each time.
    let target = place::target_directory()?.join("wasm");
    let mut cargo = toolchain.cargo();
    place::run(cargo.current_dir(&repository).env("CARGO_TARGET_DIR", &target))?;
    let module = target.join(TARGET).join("wasm/web.wasm");
    let web = repository.join("web");
    let kept = web.join("package/crd-ls.wasm");
    fs::copy(&module, &kept).map_err(|error| format!("{}: {error}", module.display()))?;
    let node = |program: &str, arguments: &[&str]| {
        place::run(Command::new(program).args(arguments).current_dir(&web))
    };
    node("npm", &["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
    node("node", &["playground/build.mjs"])
}
