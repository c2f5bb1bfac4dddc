//! The computations in C: compiled once by this machine's C compiler with `-O3`, run as a program of its own, so that
//! neither unsafe code nor a build script is needed.

use crate::Workload;
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The compiled program.
pub struct Reference {
    folder: TempDir,
    program: PathBuf,
    /// The compiler's first line about itself.
    pub compiler: String,
}

/// Time that C took.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Shortest of the repetitions.
    pub best: Duration,
    /// Sum of the repetitions.
    pub total: Duration,
}

impl Reference {
    /// Compiles with `$CC`, or `cc`.
    ///
    /// # Errors
    /// If there is no compiler, or it fails.
    pub fn compile() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let (program, source) = (folder.path().join("reference"), folder.path().join("reference.c"));
        std::fs::write(&source, include_str!("../reference/reference.c"))?;
        let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let about = Command::new(&cc).arg("--version").output().with_context(|| format!("running {cc}"))?;
        let about = String::from_utf8_lossy(&about.stdout).lines().next().unwrap_or_default().to_owned();
        let arguments = ["-O3", "-std=gnu11", "-o"];
        let status = Command::new(&cc).args(arguments).arg(&program).arg(&source).arg("-lm").status()?;
        ensure!(status.success(), "{cc} cannot compile the reference");
        Ok(Reference { folder, program, compiler: about })
    }

    /// Computes the same as a workload, on one thread. Leaves the result for [`Reference::agrees`].
    ///
    /// # Errors
    /// If the program fails.
    pub fn run(&self, workload: &Workload, repeats: u64) -> Result<Time> {
        let (input, output) = self.files(workload);
        if !input.exists() {
            std::fs::write(&input, bytemuck::cast_slice::<f32, u8>(&workload.reference_input))?;
        }
        let ran = Command::new(&self.program)
            .args([workload.reference, &workload.n.to_string(), &repeats.to_string()])
            .args([input, output])
            .output()?;
        let stdout = String::from_utf8(ran.stdout)?;
        ensure!(ran.status.success(), "{}: {}", workload.name, String::from_utf8_lossy(&ran.stderr));
        let mut times = stdout.split_whitespace().map(|time| time.parse().map(Duration::from_nanos));
        let mut next = || times.next().context("the reference printed no time");
        Ok(Time { best: next()??, total: next()?? })
    }

    /// Whether the device's last launch and C's last run gave the same, but for rounding.
    ///
    /// # Errors
    /// If they did not, or if there is no result.
    pub fn agrees(&self, workload: &Workload) -> Result<()> {
        let expected = std::fs::read(self.files(workload).1)?;
        let found = workload.output()?;
        ensure!(expected.len() == found.len(), "{}: results differ in size", workload.name);
        if workload.reference == "render" {
            // Where rounding decides whether a ray hits, a pixel may be another one.
            let differ = expected.iter().zip(&found).filter(|(e, f)| e.abs_diff(**f) > 1).count();
            ensure!(differ * 10_000 <= found.len(), "{}: {differ} bytes differ", workload.name);
            return Ok(());
        }
        let floats = |bytes: &[u8]| -> Vec<f32> {
            bytes.as_chunks::<4>().0.iter().map(|word| f32::from_le_bytes(*word)).collect()
        };
        let (expected, found) = (floats(&expected), floats(&found));
        let largest = expected.iter().fold(0.0f32, |largest, e| largest.max(e.abs()));
        let error = expected.iter().zip(&found).map(|(e, f)| (e - f).abs()).fold(0.0, f32::max);
        let finite = found.iter().all(|f| f.is_finite()) && largest > 0.0;
        ensure!(finite && error <= 1e-5 * largest, "{}: off by {error} of {largest}", workload.name);
        Ok(())
    }

    fn files(&self, workload: &Workload) -> (PathBuf, PathBuf) {
        let file =
            |what: &str| self.folder.path().join(format!("{}-{}.{what}", workload.reference, workload.n));
        (file("in"), file("out"))
    }
}
