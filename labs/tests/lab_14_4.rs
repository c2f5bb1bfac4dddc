//! The real binary, as a reader calls it, on the embedded device.

use record::Record;
use std::process::{Command, Output};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

fn run(folder: &tempfile::TempDir, line: &str) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_lab-14-4"))
        .args(line.split_whitespace())
        .current_dir(folder.path())
        .env("CUDA_VISIBLE_DEVICES", "")
        .env_remove("CLICOLOR_FORCE")
        .output()
}

#[test]
fn any_number_of_bodies_goes_through_the_passes() -> Result {
    for (bodies, passes) in [(1u64, 1), (4000, 1), (4001, 2)] {
        let folder = tempfile::tempdir()?;
        let output = run(&folder, &format!("--quick --device simt --no-plots --bodies {bodies}"))?;
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let record = Record::from_json(&std::fs::read_to_string(folder.path().join("lab-14-4.json"))?)?;
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
        let output = run(&folder, &format!("--device simt --bodies {bodies}"))?;
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("--bodies"), "{said}");
    }
    Ok(())
}

#[test]
fn an_edited_kernel_that_leaves_a_body_out_fails_its_checks() -> Result {
    let folder = tempfile::tempdir()?;
    let source = kernels::GRAVITY.cu.replace(
        "for (int j = 0; j < in_pass; j++) interact(a, me, pass_bodies[j]",
        "for (int j = 1; j < in_pass; j++) interact(a, me, pass_bodies[j]",
    );
    assert_ne!(source, kernels::GRAVITY.cu);
    let file = folder.path().join("gravity.cu");
    std::fs::write(file, source)?;
    let output = run(&folder, "--quick --device simt --no-plots --kernel gravity.cu")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("no CUDA compiler was found") {
        return Ok(());
    }
    assert_eq!(output.status.code(), Some(1), "{said}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("FAILED") && said.contains("the acceleration of body"), "{said}");
    Ok(())
}
