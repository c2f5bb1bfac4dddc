//! Harness of a lab's binary: it is run as a reader calls it, in a separate folder, on the embedded device.
#![allow(dead_code, reason = "each test of a binary uses a part of it")]

use record::Record;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Output;
use tests::Result;
#[cfg(unix)]
use tests::program::command;
use tests::program::{run, stderr, stdout};

/// A lab's name and its binary.
pub(crate) type Lab = (&'static str, &'static str);

/// The binary of a lab of this name: all of them are in one folder.
pub(crate) fn program(lab: &str) -> PathBuf {
    let one = Path::new(env!("CARGO_BIN_EXE_lab-4-1"));
    one.with_file_name(format!("{lab}{}", std::env::consts::EXE_SUFFIX))
}

pub(crate) fn read(file: &Path) -> Result<Record> {
    Ok(Record::from_json(&std::fs::read_to_string(file)?)?)
}

/// The record of a run that ends well.
pub(crate) fn record((lab, program): Lab, line: &str) -> Result<Record> {
    let folder = tempfile::tempdir()?;
    let output = run(program, folder.path(), &format!("--device simt --no-plots {line}"))?;
    assert_eq!(output.status.code(), Some(0), "{lab} {line}: {}{}", stdout(&output), stderr(&output));
    read(&folder.path().join(format!("{lab}.json")))
}

/// A change of one place of a kernel, as a reader makes it in CUDA C, and as it looks in the resulting PTX.
#[cfg(unix)]
pub(crate) struct Edit<'a> {
    pub(crate) kernel: &'static kernels::Source,
    pub(crate) cu: [&'a str; 2],
    /// Each is made wherever its first text is.
    pub(crate) ptx: &'a [[&'a str; 2]],
}

#[cfg(unix)]
impl Edit<'_> {
    /// A quick run in the folder with the edited kernel, which is there under its own name.
    ///
    /// It is compiled by a stand-in for nvcc that knows this one kernel, the only program on the search path: whether a
    /// compiler is installed here, and which, does not matter. The compilers themselves are tested in `kernels`.
    pub(crate) fn run(&self, program: &str, folder: &Path, line: &str) -> Result<Output> {
        use std::os::unix::fs::PermissionsExt as _;
        let [from, to] = self.cu;
        assert!(self.kernel.cu.contains(from), "the kernel no longer has {from}");
        let name = Path::new(self.kernel.file).file_name().ok_or("a kernel's file has a name")?;
        std::fs::write(folder.join(name), self.kernel.cu.replace(from, to))?;
        let mut ptx = self.kernel.ptx.to_owned();
        for [from, to] in self.ptx {
            assert!(ptx.contains(from), "the kernel's PTX no longer has {from}");
            ptx = ptx.replace(from, to);
        }
        let bin = folder.join("bin");
        std::fs::create_dir(&bin)?;
        std::fs::write(bin.join("kernel.ptx"), ptx)?;
        std::fs::write(bin.join("nvcc"), include_str!("nvcc"))?;
        std::fs::set_permissions(bin.join("nvcc"), std::fs::Permissions::from_mode(0o755))?;
        let line =
            format!("--quick --device simt --no-plots {line} --compiler nvcc --kernel {}", name.display());
        Ok(command(program, folder, &line).env("PATH", bin).output()?)
    }
}
