//! PTX of a file: ours and nvcc's.
//!
//! Enters: the file's path and lines to append to its text. Leaves: PTX. This module must never know kernels' meaning.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

const ARCH: &str = "compute_90";

/// Our compiler: what is linked, or a program.
#[derive(Debug, Default)]
pub(crate) struct Own {
    pub(crate) include: Vec<PathBuf>,
    pub(crate) program: Option<PathBuf>,
}

impl Own {
    fn folders(&self, path: &Path) -> Vec<PathBuf> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = [folder.to_owned(), folder.join("../inc"), folder.join("inc")];
        beside.into_iter().chain(self.include.iter().cloned()).collect()
    }
}

/// PTX of our compiler, or the first error.
pub(crate) fn ours(own: &Own, path: &Path, more: &str) -> Result<Result<String, String>> {
    let text = format!("{}\n{more}", String::from_utf8_lossy(&std::fs::read(path)?));
    if let Some(program) = &own.program {
        return by_program(own, program, path, &text);
    }
    let load = |name: &str| {
        own.folders(path)
            .into_iter()
            .map(|folder| folder.join(name))
            .find_map(|path| std::fs::read_to_string(path).ok())
            .map(cuda::Header::from)
    };
    let name = path.display().to_string();
    let input = cuda::Input { name: &name, text: &text, include: &load };
    let options = cuda::Options { arch: ARCH.parse().map_err(anyhow::Error::msg)?, ..Default::default() };
    Ok(match cuda::compile(&input, &options) {
        Ok(output) => Ok(output.ptx),
        Err(failure) => {
            let errors =
                failure.diagnostics.iter().filter(|one| one.severity == cuda::diagnostic::Severity::Error);
            Err(errors.map(|one| one.message.clone()).next().unwrap_or_default())
        }
    })
}

fn by_program(own: &Own, program: &Path, path: &Path, text: &str) -> Result<Result<String, String>> {
    let copy = std::env::temp_dir().join(format!("suites-{}.cu", std::process::id()));
    std::fs::write(&copy, text)?;
    let mut command = Command::new(program);
    command.arg(&copy).args(["--arch", ARCH]);
    for folder in own.folders(path) {
        command.arg("-I").arg(folder);
    }
    let output = command.output().with_context(|| program.display().to_string())?;
    std::fs::remove_file(&copy)?;
    if output.status.success() {
        return Ok(Ok(String::from_utf8(output.stdout)?));
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let first = words.lines().find(|line| line.starts_with("error")).or(words.lines().next());
    Ok(Err(first.unwrap_or("failed").to_owned()))
}

/// nvcc's PTX.
pub(crate) fn theirs(own: &Own, path: &Path) -> Result<String> {
    let target = std::env::temp_dir().join(format!("suites-{}.ptx", std::process::id()));
    let mut command = Command::new("nvcc");
    command.args(["-ptx", "-std=c++17", "--extended-lambda"]).arg(format!("-arch={ARCH}"));
    command.arg("-o").arg(&target).arg(path);
    for folder in own.folders(path) {
        command.arg("-I").arg(folder);
    }
    let output = command.output().context("nvcc")?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("nvcc: {}", words.lines().next().unwrap_or_default());
    }
    let text = std::fs::read_to_string(&target)?;
    std::fs::remove_file(&target)?;
    Ok(text)
}

/// Lines that instantiate templates of kernels by their mangled names.
pub(crate) fn instantiations(names: &[&str]) -> Result<String> {
    if names.is_empty() {
        return Ok(String::new());
    }
    let mut filter = Command::new("c++filt")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("c++filt of the binutils")?;
    if let Some(mut input) = filter.stdin.take() {
        input.write_all(names.join("\n").as_bytes())?;
    }
    let output = filter.wait_with_output()?;
    let plain = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(plain
        .lines()
        .filter(|name| name.starts_with("void ") && name.contains('<') && !name.contains("(anonymous"))
        .map(|name| format!("template __global__ {};\n", without_parameters(name)))
        .collect())
}

/// A name in which functions as arguments, written `&(name(types))`, are names alone.
fn without_parameters(name: &str) -> String {
    let (mut found, mut rest) = (String::new(), name);
    while let Some((before, after)) = rest.split_once("&(") {
        found.push_str(before);
        let end = after.find("))").unwrap_or(0);
        let function = &after[..end];
        found.push_str(function.split('(').next().unwrap_or_default());
        rest = after[end..].strip_prefix("))").unwrap_or(&after[end..]);
    }
    found + rest
}
