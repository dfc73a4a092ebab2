//! Fills `corpus/TARGET` from the fixtures: `cargo run --bin seed`, in the folder `fuzz`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for target in ["parse", "edit", "scalar", "check", "edit_builder", "expression", "evaluate", "rule"] {
        let folder = root.join("corpus").join(target);
        std::fs::create_dir_all(&folder)?;
        let seeds = targets::seeds::of(target, &root.join("../fixtures"))?;
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("fixture-{number:05}")), seed)?;
        }
        println!("{target}: {} seeds", seeds.len());
    }
    Ok(())
}
