//! No test is forgotten: each file of tests belongs to its crate's program, and each ignored test says when it runs.

use std::fs;
use std::path::{Path, PathBuf};
use tests::Result;

/// What an ignored test may begin its reason with, and the module in which the lanes find such tests by their names, or files.
const REASONS: [(&str, &str); 6] = [
    ("slow: .ci/run runs it", ""),
    ("nightly: ", "nightly"),
    ("needs an NVIDIA GPU; run scripts/test-gpu", "gpu"),
    ("a measurement", "by_hand"),
    ("prints ", "by_hand"),
    ("writes files for a device", "by_hand"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Folders of the packages.
fn packages() -> Result<Vec<PathBuf>> {
    let crates = fs::read_dir(root().join("crates"))?.map(|entry| Ok(entry?.path()));
    let others = ["kernels", "labs", "tests"].map(|name| Ok(root().join(name)));
    crates.chain(others).collect()
}

/// Files of Rust below a folder.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) -> Result {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, all)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    Ok(())
}

#[test]
fn every_file_of_tests_is_part_of_a_program() -> Result {
    let (mut programs, mut missing) = (0, vec![]);
    for package in packages()? {
        let Ok(all) = fs::read_to_string(package.join("tests/all.rs")) else { continue };
        programs += 1;
        let manifest = fs::read_to_string(package.join("Cargo.toml"))?;
        for entry in fs::read_dir(package.join("tests"))? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else {
                continue;
            };
            let is_module = all.lines().any(|line| line == format!("mod {name};"));
            if !is_module && !manifest.contains(&format!("name = \"{name}\"")) {
                missing.push(path.display().to_string());
            }
        }
    }
    assert!(programs > 10, "{programs} programs");
    assert!(missing.is_empty(), "neither in all.rs nor in Cargo.toml: {missing:#?}");
    Ok(())
}

#[test]
fn every_ignored_test_says_when_it_runs() -> Result {
    let (mut files, mut nightly, mut wrong) = (vec![], 0, vec![]);
    for package in packages()? {
        for folder in ["src", "tests"] {
            if package.join(folder).is_dir() {
                sources(&package.join(folder), &mut files)?;
            }
        }
    }
    for file in files {
        let text = fs::read_to_string(&file)?;
        let is_gpu = file.file_stem().is_some_and(|name| name == "gpu" || name == "gpu_fault");
        let (outside, mut end) = (if is_gpu { "gpu" } else { "" }, String::new());
        let mut module = outside;
        let mut lines = text.lines().zip(1..).peekable();
        while let Some((line, n)) = lines.next() {
            let words = line.trim_start();
            if let "mod nightly {" | "mod by_hand {" = words {
                module = words.trim_start_matches("mod ").trim_end_matches(" {");
                end = line.replace(words, "}");
            } else if line == end {
                module = outside;
            } else if words == "#[test]" && !module.is_empty() {
                // The lanes leave it out, whether it is ignored or not.
                let is_ignored =
                    lines.peek().is_some_and(|(next, _)| next.trim_start().starts_with("#[ignore"));
                wrong.extend((!is_ignored).then(|| format!("{}:{n}: not ignored", file.display())));
            }
            let Some(ignored) = words.strip_prefix("#[ignore") else { continue };
            let reason = ignored.strip_prefix(" = \"").unwrap_or_default();
            let known = REASONS.iter().find(|(known, _)| reason.starts_with(known));
            nightly += usize::from(known.is_some_and(|(_, module)| *module == "nightly"));
            if known.is_none_or(|(_, expected)| *expected != module) {
                wrong.push(format!("{}:{n}: {words}", file.display()));
            }
        }
    }
    assert!(nightly > 10, "{nightly} tests for .ci/nightly");
    assert!(wrong.is_empty(), "no known reason, or outside the module for it:\n{}", wrong.join("\n"));
    Ok(())
}
