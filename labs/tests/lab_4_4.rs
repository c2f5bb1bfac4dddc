//! The real binary, as a reader calls it, on the embedded device.

use record::Record;
use std::process::{Command, Output};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

fn run(folder: &tempfile::TempDir, line: &str) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_lab-4-4"))
        .args(line.split_whitespace())
        .current_dir(folder.path())
        .env("CUDA_VISIBLE_DEVICES", "")
        .env_remove("CLICOLOR_FORCE")
        .output()
}

#[test]
fn everything_that_must_be_refused_is_and_the_answer_is_in_the_record() -> Result {
    let folder = tempfile::tempdir()?;
    let output = run(&folder, "--quick --device simt --no-plots")?;
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let record = Record::from_json(&std::fs::read_to_string(folder.path().join("lab-4-4.json"))?)?;
    let found =
        |id: &str| record.checks.iter().find(|c| c.id == format!("refused/{id}")).map(|c| c.found.as_str());
    for (id, words) in [
        ("past-the-end", "bytes 1020..1028 are not inside of its 1024 bytes"),
        ("missing-symbol", "it has: constData, devData, devPointer"),
        ("too-many-constants", "65540 bytes, and a module has 65536"),
        ("store-to-a-constant", "st.const"),
        ("shared-variable", "no constant or global variable `tile`"),
    ] {
        assert!(found(id).is_some_and(|found| found.contains(words)), "{id}: {:?}", found(id));
    }
    Ok(())
}

#[test]
fn a_kernel_that_forgets_the_variable_fails_its_check() -> Result {
    let folder = tempfile::tempdir()?;
    let source = kernels::SYMBOLS.cu.replace("constData[i % COUNT] * devData", "constData[i % COUNT]");
    assert_ne!(source, kernels::SYMBOLS.cu);
    let file = folder.path().join("symbols.cu");
    std::fs::write(file, source)?;
    let output = run(&folder, "--quick --device simt --no-plots --kernel symbols.cu")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("no CUDA compiler was found") {
        return Ok(());
    }
    assert_eq!(output.status.code(), Some(1), "{said}");
    Ok(())
}
