//! The real binary, as a reader calls it, on the embedded device.

#[cfg(unix)]
use crate::common;
use crate::common::{Lab, record};
use tests::Result;
#[cfg(unix)]
use tests::program::stdout;
use tests::program::{run, stderr};

const LAB: Lab = ("lab-14-4", env!("CARGO_BIN_EXE_lab-14-4"));

#[test]
#[ignore = "slow: .ci/run runs it"]
fn any_number_of_bodies_goes_through_the_passes() -> Result {
    for (bodies, passes) in [(1u64, 1), (4000, 1), (4001, 2)] {
        let record = record(LAB, &format!("--quick --bodies {bodies}"))?;
        let series = record.experiment("rate").and_then(|e| e.series("constant")).ok_or("no series")?;
        let point = series.at(bodies as f64).ok_or("no point")?;
        let said = point.operation.as_deref().ok_or("no words")?;
        assert!(said.starts_with(&format!("{passes} launch")), "{said}");
        // Two loads for each body in each warp that there is for the bodies, whatever the passes.
        let warps = bodies.div_ceil(32);
        assert_eq!(point.counters["const_instructions"], 2 * bodies * warps);
    }
    Ok(())
}

#[test]
fn no_bodies_and_too_many_are_refused_by_the_flag_s_name() -> Result {
    let folder = tempfile::tempdir()?;
    for bodies in ["0", "2^18", "2^40", "many"] {
        let output = run(LAB.1, folder.path(), &format!("--device simt --bodies {bodies}"))?;
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("--bodies"), "{said}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_edited_kernel_that_reads_a_body_which_nothing_has_set_faults() -> Result {
    let folder = tempfile::tempdir()?;
    let edit = common::Edit {
        kernel: &kernels::GRAVITY,
        cu: ["interact(a, me, pass_bodies[j]", "interact(a, me, pass_bodies[j + 1]"],
        ptx: &[["\tmov.u64 \t%rd14, pass_bodies;", "\tmov.u64 \t%rd14, pass_bodies+16;"]],
    };
    let output = edit.run(LAB.1, folder.path(), "--bodies 65")?;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{}{said}", stdout(&output));
    assert!(said.contains("`pass_bodies[65]` is read, and nothing has set it"), "{said}");
    Ok(())
}
