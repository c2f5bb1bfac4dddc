//! Limits on a lab, and the escaping of untrusted text: the binaries as they are called, on the embedded device.

#[cfg(unix)]
use crate::common;
use tests::Result;
use tests::program::{HOSTILE, command, plain, run, stderr, stdout};

#[cfg(unix)]
#[test]
fn an_endless_loop_in_an_edited_kernel_ends_the_lab() -> Result {
    let folder = tempfile::tempdir()?;
    let edit = common::Edit {
        kernel: &kernels::ADD,
        cu: ["if (i < n)", "while (i < n)"],
        ptx: &[
            ["@%p1 bra \t$L__BB0_2;\n", "@%p1 bra \t$L__BB0_2;\n$L__BB0_1:\n"],
            ["\n$L__BB0_2:\n", "\n\tbra \t$L__BB0_1;\n$L__BB0_2:\n"],
        ],
    };
    let output = edit.run(env!("CARGO_BIN_EXE_lab-4-1"), folder.path(), "")?;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("infinite-loop") && said.contains("add.cu:"), "{said}");
    // That it never ends is proven: a larger budget would not help.
    assert!(said.contains("never ends") && !said.contains("--budget"), "{said}");
    Ok(())
}

#[test]
fn nsight_compute_that_must_count_is_missed_before_anything_runs() -> Result {
    let folder = tempfile::tempdir()?;
    let line = "--device simt --quick --ncu always";
    let output =
        command(env!("CARGO_BIN_EXE_lab-4-4"), folder.path(), line).env("PATH", folder.path()).output()?;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("not on the PATH; install Nsight Compute"), "{said}");
    assert_eq!(stdout(&output), "");
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    Ok(())
}

#[test]
fn what_a_terminal_would_obey_is_shown() -> Result {
    let folder = tempfile::tempdir()?;
    for argument in [format!("--{HOSTILE}"), format!("{HOSTILE}.toml"), format!("--device={HOSTILE}")] {
        let output = run(env!("CARGO_BIN_EXE_lab-4-4"), folder.path(), &format!("--kernel={argument}.cu"))?;
        plain(&output);
    }
    Ok(())
}
