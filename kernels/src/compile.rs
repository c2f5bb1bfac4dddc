//! CUDA C to PTX, for an edited or new kernel, by the first compiler found on this machine.
//!
//! Enters: the path of a `.cu`. Leaves: PTX and the compiler's name, or the compiler's log. This module must never know
//! the workbook's own kernels, whose PTX is committed.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// PTX compiled from a `.cu`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// PTX, with line information.
    pub ptx: String,
    /// Name of the compiler, such as `NVRTC 12.9 (/opt/…/libnvrtc.so.12)` or `nvcc 12.4`.
    pub with: String,
}

/// Reason why there is no PTX.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// Path of the `.cu`.
        path: PathBuf,
        /// Message of the operating system.
        reason: String,
    },
    /// The file is not text.
    #[error("{}: not CUDA C: byte {at} is {what}", path.display())]
    NotText {
        /// Path of the `.cu`.
        path: PathBuf,
        /// Offset of the first bad byte.
        at: usize,
        /// `no UTF-8` or `a NUL`.
        what: &'static str,
    },
    /// No compiler was found.
    #[error(
        "{}: no CUDA compiler was found (looked for NVRTC, nvcc and clang with a toolkit)\n  this installs NVRTC, which needs no GPU and no toolkit: {INSTALL}",
        path.display()
    )]
    NoCompiler {
        /// Path of the `.cu`.
        path: PathBuf,
    },
    /// The compiler refused the source.
    #[error("{} does not compile ({with}):\n{log}", path.display())]
    Compile {
        /// Path of the `.cu`.
        path: PathBuf,
        /// Name of the compiler.
        with: String,
        /// The compiler's log, with file and line.
        log: String,
    },
}

/// The one command that installs a compiler. A virtual environment, because Debian's Python refuses `pip install`
/// outside of one; `.venv` is looked for in the working directory and above it.
#[cfg(not(windows))]
const INSTALL: &str = "python3 -m venv .venv && .venv/bin/python3 -m pip install nvidia-cuda-nvrtc-cu12";
#[cfg(windows)]
const INSTALL: &str = "py -m pip install nvidia-cuda-nvrtc-cu12";

/// Most bytes of a `.cu`.
pub const MOST_BYTES: u64 = 16 << 20;

/// Compiles a `.cu` by the first compiler found: NVRTC (the Python package's or a toolkit's), nvcc, clang.
///
/// The target is the architecture named in the comment that the file begins with (`// arch: compute_70`), else
/// `compute_52`, or the oldest after it that the compiler knows. Headers are looked for in the file's folder.
///
/// # Errors
/// A file that cannot be read or is not text, no compiler (with the command that installs one), or the compiler's log.
pub fn compile(path: &Path) -> Result<Compiled, Error> {
    compile_with(&[nvrtc, nvcc, clang], path)
}

/// A compiler: `None` where this machine does not have it.
type Compiler = fn(&Source) -> Option<Result<Compiled, Error>>;

struct Source<'a> {
    path: &'a Path,
    text: &'a str,
    /// Number of the virtual architecture, such as `52` or `90a`.
    arch: &'a str,
}

impl Source<'_> {
    fn refused(&self, with: String, log: &[u8]) -> Error {
        let log = String::from_utf8_lossy(log).trim().to_owned();
        Error::Compile { path: self.path.to_owned(), with, log }
    }
}

fn compile_with(compilers: &[Compiler], path: &Path) -> Result<Compiled, Error> {
    let text = read(path)?;
    let source = Source { path, text: &text, arch: architecture(&text) };
    compilers
        .iter()
        .find_map(|compiler| compiler(&source))
        .unwrap_or_else(|| Err(Error::NoCompiler { path: path.to_owned() }))
}

fn read(path: &Path) -> Result<String, Error> {
    let not_text = |at, what| Error::NotText { path: path.to_owned(), at, what };
    let bytes = files::read(path, MOST_BYTES)
        .map_err(|error| Error::Read { path: path.to_owned(), reason: error.to_string() })?;
    let text =
        String::from_utf8(bytes).map_err(|error| not_text(error.utf8_error().valid_up_to(), "no UTF-8"))?;
    match text.find('\0') {
        Some(at) => Err(not_text(at, "a NUL")), // C strings end there, and with them what a compiler would see
        None => Ok(text),
    }
}

/// Architecture that a source asks for; `nvrtc.py` reads the same comment for `scripts/ptx`.
fn architecture(text: &str) -> &str {
    text.lines()
        .take_while(|line| line.starts_with("//"))
        .find_map(|line| {
            line.trim_start_matches('/').trim().strip_prefix("arch:")?.trim().strip_prefix("compute_")
        })
        .unwrap_or("52")
}

/// NVRTC through Python, whose package path leads to it.
fn nvrtc(source: &Source) -> Option<Result<Compiled, Error>> {
    const PROGRAM: &str = include_str!("../nvrtc.py");
    let arch = format!("compute_{}", source.arch);
    let arguments = ["-c".as_ref(), PROGRAM.as_ref(), source.path.as_os_str(), arch.as_ref()];
    for python in ["python3", "python", "py"] {
        let Some(output) = run(python.as_ref(), &arguments, source.text) else { continue };
        match output.status.code() {
            Some(0) => {
                let text = String::from_utf8_lossy(&output.stdout);
                let (with, ptx) = text.split_once('\n').unwrap_or_default();
                return Some(Ok(Compiled { ptx: ptx.to_owned(), with: with.to_owned() }));
            }
            Some(1) => return Some(Err(source.refused("NVRTC".to_owned(), &output.stderr))),
            _ => {} // no NVRTC for this Python, or no usable Python: perhaps for the next
        }
    }
    None
}

/// nvcc, from `PATH` or a toolkit's usual place.
fn nvcc(source: &Source) -> Option<Result<Compiled, Error>> {
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let nvcc = [PathBuf::from("nvcc")]
        .into_iter()
        .chain(
            toolkits
                .chain([PathBuf::from("/usr/local/cuda")])
                .map(|toolkit| toolkit.join("bin").join("nvcc")),
        )
        .find(|nvcc| succeeds(nvcc.as_os_str(), "--version").is_some())?;
    let nvcc = nvcc.as_os_str();
    let version = succeeds(nvcc, "--version").unwrap_or_default();
    let with = match version.split_once("release ").and_then(|(_, rest)| rest.split_once(',')) {
        Some((release, _)) => format!("nvcc {release}"),
        None => "nvcc".to_owned(),
    };
    // A newer toolkit no longer knows the oldest architectures, and lists those that it does.
    let known = succeeds(nvcc, "--list-gpu-arch").unwrap_or_default();
    let arch = oldest(source.arch, known.lines().filter_map(|line| line.trim().strip_prefix("compute_")));
    let arch = format!("-arch=compute_{arch}");
    Some(to_file(source, nvcc, &["--ptx", "-lineinfo", &arch, "-x", "cu"], with))
}

/// clang, which needs a toolkit's headers: without one it is as if it were not there.
fn clang(source: &Source) -> Option<Result<Compiled, Error>> {
    let clang: &OsStr = "clang++".as_ref();
    let version = succeeds(clang, "--version")?;
    let with = version.lines().next().unwrap_or("clang").to_owned();
    let arch = format!("--cuda-gpu-arch=sm_{}", source.arch);
    let options = ["-x", "cuda", "--cuda-device-only", &arch, "-O3", "-gline-tables-only", "-S"];
    match to_file(source, clang, &options, with) {
        Err(Error::Compile { log, .. }) if log.contains("cannot find CUDA installation") => None,
        result => Some(result),
    }
}

/// The oldest of `known` that is not older than `asked`, or `asked` where there is none or it is for one chip alone.
fn oldest<'a>(asked: &'a str, known: impl Iterator<Item = &'a str>) -> String {
    let Ok(number) = asked.parse::<u32>() else { return asked.to_owned() };
    let later = known.filter_map(|it| it.parse().ok()).filter(|it| *it >= number);
    later.min().unwrap_or(number).to_string()
}

/// Runs a compiler that writes its result to a file.
fn to_file(source: &Source, compiler: &OsStr, options: &[&str], with: String) -> Result<Compiled, Error> {
    let result = (|| {
        let folder = tempfile::tempdir()?;
        let target = folder.path().join("kernel.ptx");
        let output = Command::new(compiler)
            .args(options)
            .arg(source.path)
            .arg("-o")
            .arg(&target)
            .stdin(Stdio::null())
            .output()?;
        let ptx = if output.status.success() { Some(std::fs::read_to_string(&target)?) } else { None };
        std::io::Result::Ok((ptx, output))
    })();
    match result {
        Ok((Some(ptx), _)) => Ok(Compiled { ptx, with }),
        Ok((None, output)) => Err(source.refused(with, &[output.stdout, output.stderr].concat())),
        Err(error) => Err(source.refused(with, error.to_string().as_bytes())),
    }
}

/// Output of `program option`, where the program exists and succeeds.
fn succeeds(program: &OsStr, option: &str) -> Option<String> {
    let output = run(program, &[option.as_ref()], "")?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program that reads all of its input before it writes; `None` where it cannot be started.
fn run(program: &OsStr, arguments: &[&OsStr], input: &str) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input.as_bytes()); // one that stopped early says why by its exit code
    }
    child.wait_with_output().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A `.cu` in a folder of its own.
    fn file(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.cu");
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_an_end_is_refused() {
        let error = compile(Path::new("/dev/zero")).unwrap_err().to_string();
        assert!(error.contains("/dev/zero") && error.contains("a device"), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = compile(Path::new("no/such.cu")).unwrap_err();
        assert!(matches!(error, Error::Read { .. }), "{error}");
        assert!(error.to_string().starts_with("no/such.cu: "), "{error}");
    }

    #[test]
    fn a_file_that_is_no_text_is_refused_at_its_first_bad_byte() {
        for (content, expected) in
            [(&b"int a;\xff"[..], "byte 6 is no UTF-8"), (b"int\0a;", "byte 3 is a NUL")]
        {
            let (_folder, path) = file(content);
            let error = compile(&path).unwrap_err();
            assert!(error.to_string().ends_with(expected), "{error}");
        }
    }

    #[test]
    fn no_compiler_is_an_error_that_names_the_command_to_run() {
        let (_folder, path) = file(b"");
        let error = compile_with(&[|_| None], &path).unwrap_err();
        assert!(error.to_string().contains("pip install nvidia-cuda-nvrtc-cu12"), "{error}");
    }

    #[test]
    fn a_source_chooses_its_architecture_in_its_first_comment() {
        assert_eq!(architecture("// What it is.\n// arch: compute_70\nint a;"), "70");
        assert_eq!(architecture("// arch: compute_90a\n"), "90a");
        assert_eq!(architecture("int a;\n// arch: compute_70\n"), "52");
    }

    #[test]
    fn an_architecture_that_the_compiler_forgot_becomes_the_oldest_it_knows() {
        assert_eq!(oldest("52", ["75", "80"].into_iter()), "75");
        assert_eq!(oldest("80", ["75", "80", "90"].into_iter()), "80");
        assert_eq!(oldest("90a", ["75"].into_iter()), "90a");
        assert_eq!(oldest("52", [].into_iter()), "52");
    }
}
