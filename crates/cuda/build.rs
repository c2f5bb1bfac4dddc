//! Texts of the library as the crate has them: without comments, which are a sixth of what the library costs a page.
//!
//! Enters: the files of `library/`. Leaves: a list of their names and texts, in `OUT_DIR`. Lines and columns stay. A page that runs
//! kernels alone is without the files of `PROGRAMS`, which are large and which few sources need.

use std::{env, error::Error, fs, path::Path};

/// Files that a page loads with whole programs only (`BEYOND` of the pages' scripts), and what is in their place elsewhere.
const PROGRAMS: [&str; 33] = [
    "cooperative_groups/large_tiles.inc",
    "cuda/atomic",
    "cuda/barrier",
    "cuda/pipeline",
    "cuda/ptx",
    "cuda_bf16.h",
    "cuda_fp8.h",
    "curand_kernel.h",
    "curand_xorwow.inc",
    "dpx.cuh",
    "error_names.cuh",
    "helper_math.h",
    "math/bessel.cuh",
    "math/erf.cuh",
    "math/gamma.cuh",
    "math/p_bessel.cuh",
    "math/p_erf.cuh",
    "math/p_gamma.cuh",
    "mma.h",
    "runtime/copies.cuh",
    "runtime/copy_types.cuh",
    "runtime/events.cuh",
    "runtime/flags.inc",
    "runtime/memory.cuh",
    "runtime/queries.cuh",
    "runtime/query_types.cuh",
    "simd.cuh",
    "surface.inc",
    "surface_1d.cuh",
    "surface_2d.cuh",
    "surface_3d.cuh",
    "surface_layers.cuh",
    "surfel.cuh",
];
const MISSING: &str = "#error \"this page is without this part of the library: run the source on the page 'Any kernel', or with launch\"\n";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=library");
    let mut files = vec![];
    read(Path::new("library"), "", &mut files)?;
    files.sort();
    let rows: String = files.iter().map(|(name, text)| format!("({name:?}, {text:?}),\n")).collect();
    let out = env::var_os("OUT_DIR").ok_or("cargo names a folder")?;
    fs::write(Path::new(&out).join("library.rs"), format!("&[\n{rows}]\n"))?;
    Ok(())
}

/// Reads a folder and those in it; names are as `#include` has them.
fn read(folder: &Path, before: &str, files: &mut Vec<(String, String)>) -> Result<(), Box<dyn Error>> {
    let programs = env::var_os("CARGO_FEATURE_HOST").is_some();
    let is_page = !programs && env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32");
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let host = before.is_empty() && name == "host";
        if entry.file_type()?.is_dir() && host && !programs {
            continue;
        }
        if entry.file_type()?.is_dir() {
            read(&entry.path(), &format!("{name}/"), files)?;
        } else if ![".md", ".py", ".txt"].iter().any(|end| name.ends_with(end)) {
            let text = fs::read_to_string(entry.path())?;
            if is_page && PROGRAMS.contains(&name.as_str()) {
                // A part of another file is left out of it.
                let text = if name.ends_with(".inc") { "" } else { MISSING };
                files.push((name, text.to_owned()));
                continue;
            }
            files.push((name, text.lines().map(|line| format!("{}\n", code(line))).collect()));
        }
    }
    Ok(())
}

/// A line without its comment.
fn code(line: &str) -> &str {
    // What goes on in the next line stays as it is.
    if line.ends_with('\\') {
        return line;
    }
    let mut quoted = false;
    for (at, one) in line.char_indices() {
        quoted ^= one == '"';
        if !quoted && line[at..].starts_with("//") {
            return line[..at].trim_end();
        }
    }
    line
}
