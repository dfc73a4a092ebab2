//! Fills `corpus/TARGET` from the fixtures and from inputs that fuzzers found: `cargo run --bin seed`, in the folder
//! `fuzz`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for target in ["parse", "edit", "scalar", "check", "edit_builder", "expression", "evaluate", "rule"] {
        let folder = root.join("corpus").join(target);
        std::fs::create_dir_all(&folder)?;
        let seeds = targets::seeds::of(target, &root.join("../fixtures"))?;
        let found = targets::seeds::minimised(target, &root.join("minimised"))?;
        for (name, inputs) in [("fixture", &seeds), ("found", &found)] {
            for (number, input) in inputs.iter().enumerate() {
                std::fs::write(folder.join(format!("{name}-{number:05}")), input)?;
            }
        }
        println!("{target}: {} seeds, {} found", seeds.len(), found.len());
    }
    Ok(())
}
