//! The C++ standard library for host code: programs compiled with our headers print what they print with g++'s own.
//!
//! Enters: the programs of `crates/cuda/tests/host-library`, and what they print with libstdc++, which is committed
//! (`scripts/host-library` writes it). Here g++ compiles them with our headers, and with the machine's headers of C.

use std::path::Path;
use std::process::Command;
use tests::tools;

/// Root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn programs_print_with_our_headers_what_they_print_with_those_of_gcc() -> Result<(), std::io::Error> {
    if !tools::are_there(&["g++"]) {
        return Ok(());
    }
    let run = Command::new(root().join("scripts/host-library")).arg("--check").output()?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(run.status.success(), "{}{}", said(&run.stdout), said(&run.stderr));
    Ok(())
}

#[test]
fn each_program_has_its_output_and_each_output_its_program() -> Result<(), std::io::Error> {
    let folder = root().join("crates/cuda/tests/host-library");
    let mut names = [vec![], vec![]];
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_stem().map(|name| name.to_string_lossy().into_owned()) else { continue };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("cpp") => names[0].push(name),
            Some("out") => names[1].push(name),
            _ => (),
        }
    }
    names.iter_mut().for_each(|one| one.sort());
    assert!(names[0].len() > 5, "{names:?}");
    assert_eq!(names[0], names[1]);
    Ok(())
}
