//! Texture references: textures that a module names, and that a job binds to their names. What an H200 gave is recorded by
//! `scripts/record-jobs BIN OUT crates/job/tests/references`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use device::Embedded;
use job::{Expected, Job, Settings, run};
use std::path::Path;

#[test]
fn a_texture_reference_samples_what_an_h200_sampled() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/references/references.toml");
    let job = Job::read(&path, Expected::Compare).unwrap();
    let mut device = Embedded::new("h200").unwrap();
    device.options().checks = device::Checks::ALL;
    let report = run(&job, &mut device, &Settings::default(), &mut |_| {});
    assert_eq!(report.exit_code(), 0, "{report}");
    assert!(report.outputs.iter().all(|output| output.compared.is_some()));
}
