//! Files of the exercises as the crate has them.
//!
//! Enters: the files of `kernels/exercises`. Leaves: a list of their names and texts, in `OUT_DIR`.

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../kernels/exercises");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut rows = vec![];
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        rows.push(format!(
            "({:?}, {:?}),\n",
            entry.file_name().to_string_lossy(),
            fs::read_to_string(entry.path())?
        ));
    }
    rows.sort();
    let out = env::var_os("OUT_DIR").ok_or("cargo names a folder")?;
    fs::write(Path::new(&out).join("files.rs"), format!("&[\n{}]\n", rows.concat()))?;
    Ok(())
}
