//! The real binaries of labs 4.3 and 4.5, as a reader calls them, on the embedded device.

#[cfg(unix)]
use crate::common;
use crate::common::{Lab, record};
use tests::Result;
use tests::program::{run, stderr, stdout};

const LABS: [Lab; 2] =
    [("lab-4-3", env!("CARGO_BIN_EXE_lab-4-3")), ("lab-4-5", env!("CARGO_BIN_EXE_lab-4-5"))];

#[test]
fn lengths_that_no_tile_divides_are_right() -> Result {
    for lab in LABS {
        for lengths in ["--rows 1 --inner 1 --columns 1", "--rows 33 --inner 17 --columns 130"] {
            let record = record(lab, &format!("--quick {lengths}"))?;
            assert!(record.checks.iter().all(|check| check.passed));
        }
    }
    Ok(())
}

#[test]
fn sizes_that_cannot_be_are_refused_with_the_reason() -> Result {
    let folder = tempfile::tempdir()?;
    for (_, program) in LABS {
        for (line, reason) in [
            ("--rows 0", "--rows: 0: there is nothing to compute"),
            ("--columns 2^20", "--columns: 1048576: at most 2^15 (32768)"),
            (
                "--rows 2^15 --inner 2^15 --columns 2^15",
                "at most 1,073,741,824 (4 GiB): use a smaller --rows",
            ),
            ("--inner 2^15 --scale 3", "--inner 98304: at most 65536"),
            ("--inner many", "--inner"),
        ] {
            let output = run(program, folder.path(), &format!("--device simt {line}"))?;
            assert_eq!(output.status.code(), Some(2), "{line}");
            let said = stderr(&output);
            assert!(said.contains(reason), "{line}: {said}");
        }
    }
    Ok(())
}

#[test]
fn larger_matrices_are_left_to_a_gpu_and_that_is_said() -> Result {
    let folder = tempfile::tempdir()?;
    for (lab, program) in LABS {
        let output = run(program, folder.path(), "--quick --device simt --no-plots --scale 10")?;
        assert_eq!(output.status.code(), Some(0), "{lab}");
        let said = stdout(&output);
        assert!(said.contains("10 times as long and wide are left out: they are for a GPU"), "{said}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_edited_kernel_that_leaves_a_term_out_fails_its_checks() -> Result {
    let edits = [
        (
            LABS[0].1,
            &kernels::PITCHED_PRODUCT,
            "size_t k = 0; k < a.columns",
            ["fma.rn.f32 \t%f14, %f13, %f12, %f29;", "mov.f32 \t%f14, %f29;"],
        ),
        (
            LABS[1].1,
            &kernels::TILES,
            "int k = 0; k < SIZE",
            ["fma.rn.f32 \t%f14, %f13, %f12, %f38;", "mov.f32 \t%f14, %f38;"],
        ),
    ];
    for (program, kernel, from, ptx) in edits {
        let folder = tempfile::tempdir()?;
        let edit = common::Edit { kernel, cu: [from, &from.replace("k = 0", "k = 1")], ptx: &[ptx] };
        let output = edit.run(program, folder.path(), "")?;
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{said}{}", stderr(&output));
        assert!(said.contains("FAILED") && said.contains("but should be"), "{said}");
    }
    Ok(())
}
