//! The real binary, as a reader calls it, on the embedded device.

mod common;

use common::{Lab, record};
use tests::Result;

const LAB: Lab = ("lab-4-4", env!("CARGO_BIN_EXE_lab-4-4"));

#[test]
fn everything_that_must_be_refused_is_and_the_answer_is_in_the_record() -> Result {
    let record = record(LAB, "--quick")?;
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

#[cfg(unix)]
#[test]
fn a_kernel_that_forgets_the_variable_fails_its_check() -> Result {
    let folder = tempfile::tempdir()?;
    let edit = common::Edit {
        kernel: &kernels::SYMBOLS,
        cu: ["constData[i % COUNT] * devData", "constData[i % COUNT]"],
        ptx: &[["fma.rn.f32 \t%f4, %f2, %f1, %f3;", "add.f32 \t%f4, %f2, %f3;"]],
    };
    let output = edit.run(LAB.1, folder.path(), "")?;
    assert_eq!(output.status.code(), Some(1), "{}", tests::program::stderr(&output));
    Ok(())
}
