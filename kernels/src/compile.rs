//! CUDA C to PTX, for an edited or new kernel, by the workbook's own compiler or another that is found on this machine.
//!
//! Enters: the path of a `.cu`, which compiler, and how this program reaches the workbook's own. Leaves: PTX and the
//! compiler's name, or the compiler's log. This module must never know the workbook's own kernels, whose PTX is committed,
//! and it does not link the workbook's own compiler: a lab would take a quarter longer to build, and few of its runs have an
//! edited kernel.

use crate::flags::Flags;
use names::{Origin, Shared};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Compiler of CUDA C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// The workbook's own.
    #[default]
    Own,
    /// NVIDIA's as a library: that of Python's package, or a toolkit's.
    Nvrtc,
    /// NVIDIA's as a program, from a toolkit.
    Nvcc,
    /// clang, with a toolkit's headers.
    Clang,
}

impl Compiler {
    /// All of them, the default first.
    pub const ALL: [Compiler; 4] = [Compiler::Own, Compiler::Nvrtc, Compiler::Nvcc, Compiler::Clang];

    /// Word that chooses it, such as `nvrtc`.
    pub fn word(self) -> &'static str {
        match self {
            Compiler::Own => "own",
            Compiler::Nvrtc => "nvrtc",
            Compiler::Nvcc => "nvcc",
            Compiler::Clang => "clang",
        }
    }
}

impl std::str::FromStr for Compiler {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let words = Self::ALL.map(Self::word).join(", ");
        Self::ALL
            .into_iter()
            .find(|one| one.word() == word)
            .ok_or_else(|| format!("one of {words} is needed"))
    }
}

impl std::fmt::Display for Compiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// PTX compiled from a `.cu`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// PTX, with line information.
    pub ptx: String,
    /// Name and version of the compiler, such as `own 0.1.0`, `NVRTC 12.9` or `nvcc 12.4`.
    pub with: String,
    /// Variables in shared memory, as far as the compiler reports them: the workbook's own does.
    pub shared: Vec<Shared>,
    /// Instances of kernels' templates that were asked for, each with its name in the PTX, as far as the compiler reports them:
    /// the workbook's own does.
    pub instances: Vec<(String, String)>,
    /// Code that lines of the PTX were made from, as far as the compiler reports it: the workbook's own does.
    pub origins: Vec<Origin>,
    /// Warnings of the workbook's own compiler, as shown in a terminal without colour; empty for none.
    pub warnings: String,
    /// Whether the source's text is all that it takes to compile it again, with the same program: the workbook's own compiler
    /// made it, and it includes no other file.
    pub is_self_contained: bool,
}

/// The reason why there is no PTX.
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
        /// `a NUL`.
        what: &'static str,
    },
    /// The compiler that was asked for is not on this machine.
    #[error(
        "{}: {compiler} was not found on this machine\n  the workbook's own compiler needs no toolkit: leave --compiler out\n  this installs NVRTC, which needs no GPU and no toolkit: {INSTALL}",
        path.display()
    )]
    NoCompiler {
        /// Path of the `.cu`.
        path: PathBuf,
        /// The compiler.
        compiler: Compiler,
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
/// outside one; `.venv` is looked for in the working directory and above it.
#[cfg(not(windows))]
const INSTALL: &str = "python3 -m venv .venv && .venv/bin/python3 -m pip install nvidia-cuda-nvrtc-cu12";
#[cfg(windows)]
const INSTALL: &str = "py -m pip install nvidia-cuda-nvrtc-cu12";

/// Most bytes of a `.cu`.
pub const MOST_BYTES: u64 = 16 << 20;

/// The workbook's own compiler as a program reaches it: a part of it, or a program next to it ([`crate::by_program`]).
pub type Own = fn(&Input<'_>) -> Result<Compiled, Error>;

/// Compiles a `.cu`.
///
/// The target is the architecture named in the comment that the file begins with (`// arch: compute_70`), else
/// `compute_52`, or the oldest after it that the compiler knows. Headers are looked for in the file's folder. Options are those of
/// the comment `// options: …`.
///
/// # Errors
/// A file that cannot be read or is not text, a compiler that is not installed (with the command that installs one), or the
/// compiler's log.
pub fn compile(path: &Path, compiler: Compiler, own: Own) -> Result<Compiled, Error> {
    compile_with(path, compiler, &Flags::default(), &[], own)
}

/// The same with options, which go before those of the source, and with instances of kernels' templates that the source does not
/// name, such as `scale<float, 4>`. Only the workbook's own compiler makes these.
///
/// # Errors
/// Those of [`compile`].
pub fn compile_with(
    path: &Path,
    compiler: Compiler,
    flags: &Flags,
    instances: &[String],
    own: Own,
) -> Result<Compiled, Error> {
    let text = read(path)?;
    let input = Input { instances, ..Input::new(path, &text) };
    let input = input.with(flags)?;
    let compiled = match compiler {
        Compiler::Own => Some(own(&input)),
        Compiler::Nvrtc => nvrtc(&input),
        Compiler::Nvcc => nvcc(&input),
        Compiler::Clang => clang(&input),
    };
    compiled.unwrap_or_else(|| Err(Error::NoCompiler { path: path.to_owned(), compiler }))
}

/// Compiles CUDA C by the workbook's own compiler, without reading a file. `name` is that of the source in messages and in the PTX.
///
/// # Errors
/// The compiler's log.
pub fn compile_text(name: &str, text: &str, flags: &Flags, own: Own) -> Result<Compiled, Error> {
    own(&Input { reads_headers: false, ..Input::new(Path::new(name), text) }.with(flags)?)
}

/// Input of a compiler.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// Path of the source: its name in messages and in the PTX, and where headers are looked for.
    pub path: &'a Path,
    /// CUDA C.
    pub text: &'a str,
    /// Options, those of the source among them.
    pub flags: Flags,
    /// Instances of kernels' templates that the source does not name.
    pub instances: &'a [String],
    /// Whether the headers in the source's folder are read.
    pub reads_headers: bool,
}

impl<'a> Input<'a> {
    /// A source without options.
    pub fn new(path: &'a Path, text: &'a str) -> Self {
        Input { path, text, flags: Flags::default(), instances: &[], reads_headers: true }
    }

    /// The same with options after those that it asks for itself, in the comments `// arch: …` and `// options: …`.
    ///
    /// # Errors
    /// Options of the source that are not known.
    pub fn with(mut self, flags: &Flags) -> Result<Self, Error> {
        let words = options_of(self.text).split_whitespace();
        let own = Flags::parse(words).map_err(|why| self.refused("// options".to_owned(), why.as_bytes()))?;
        let of_comment = Flags { arch: architecture(self.text).map(str::to_owned), ..Flags::default() };
        self.flags = of_comment.and(own).and(flags.clone());
        Ok(self)
    }

    /// Number of the virtual architecture: the one that is asked for, that of the device which will run it, or the oldest that
    /// CUDA 12 knows.
    pub fn arch(&self) -> &str {
        self.flags.arch.as_deref().or(self.flags.device.as_deref()).unwrap_or("52")
    }

    /// The error of a source that a compiler refused, with its log.
    pub fn refused(&self, with: String, log: &[u8]) -> Error {
        let log = String::from_utf8_lossy(log).trim().to_owned();
        Error::Compile { path: self.path.to_owned(), with, log }
    }
}

fn read(path: &Path) -> Result<String, Error> {
    let not_text = |at, what| Error::NotText { path: path.to_owned(), at, what };
    let bytes = files::read(path, MOST_BYTES)
        .map_err(|error| Error::Read { path: path.to_owned(), reason: error.to_string() })?;
    let text = decoded(bytes);
    let wide = text.starts_with("\u{ff}\u{fe}") || text.starts_with("\u{fe}\u{ff}");
    match text.find('\0') {
        Some(at) if wide => Err(not_text(at, "a NUL: the file is UTF-16, save it with the encoding UTF-8")),
        Some(at) => Err(not_text(at, "a NUL")), // C strings end there, and with them what a compiler would see
        None => Ok(text),
    }
}

/// Text of a source or header. One that is not UTF-8 is taken for Latin-1, in which every byte is a letter: nvcc looks at bytes,
/// and those beyond ASCII are in comments and strings.
pub fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// Options that a source asks for, in a line such as `// options: --fmad=false`; `nvrtc.py` reads the same.
fn options_of(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or("")
}

/// Architecture that a source asks for; `nvrtc.py` reads the same comment for `scripts/ptx`.
fn architecture(text: &str) -> Option<&str> {
    text.lines().take_while(|line| line.starts_with("//")).find_map(|line| {
        line.trim_start_matches('/').trim().strip_prefix("arch:")?.trim().strip_prefix("compute_")
    })
}

/// Name and version of the workbook's own compiler.
pub const OWN: &str = concat!("own ", env!("CARGO_PKG_VERSION"));

/// NVRTC through Python, whose package path it is on.
fn nvrtc(source: &Input<'_>) -> Option<Result<Compiled, Error>> {
    const PROGRAM: &str = include_str!("../nvrtc.py");
    let arch = format!("compute_{}", source.arch());
    let words = source.flags.words();
    let mut arguments: Vec<&OsStr> =
        vec!["-c".as_ref(), PROGRAM.as_ref(), source.path.as_os_str(), arch.as_ref()];
    arguments.extend(words.iter().map(OsStr::new));
    for python in ["python3", "python", "py"] {
        let Some(output) = run(python.as_ref(), &arguments, source.text) else { continue };
        match output.status.code() {
            Some(0) => {
                let text = String::from_utf8_lossy(&output.stdout);
                let (with, ptx) = text.split_once('\n').unwrap_or_default();
                // Its path after the version concerns only this machine.
                let with = with.split(" (").next().unwrap_or_default().to_owned();
                return Some(Ok(Compiled {
                    ptx: ptx.to_owned(),
                    with,
                    shared: vec![],
                    instances: vec![],
                    origins: vec![],
                    warnings: String::new(),
                    is_self_contained: false,
                }));
            }
            Some(1) => return Some(Err(source.refused("NVRTC".to_owned(), &output.stderr))),
            _ => {} // no NVRTC for this Python, or no usable Python: perhaps for the next
        }
    }
    None
}

/// nvcc, from `PATH` or a toolkit's usual place.
fn nvcc(source: &Input<'_>) -> Option<Result<Compiled, Error>> {
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
    let arch = oldest(source.arch(), known.lines().filter_map(|line| line.trim().strip_prefix("compute_")));
    let arch = format!("-arch=compute_{arch}");
    let words = source.flags.words();
    let mut options = vec!["--ptx", &arch, "-x", "cu"];
    // Code for a debugger has its own line information.
    options.extend((!source.flags.debug).then_some("-lineinfo"));
    options.extend(words.iter().map(String::as_str));
    Some(to_file(source, nvcc, &options, with))
}

/// clang, which needs a toolkit's headers: without one it is treated as not installed.
fn clang(source: &Input<'_>) -> Option<Result<Compiled, Error>> {
    let clang: &OsStr = "clang++".as_ref();
    let version = succeeds(clang, "--version")?;
    let with = version.lines().next().unwrap_or("clang").to_owned();
    let arch = format!("--cuda-gpu-arch=sm_{}", source.arch());
    let mut options = vec!["-x", "cuda", "--cuda-device-only", &arch, "-O3", "-gline-tables-only", "-S"];
    let words = source.flags.words();
    options.extend(
        words.iter().map(String::as_str).filter(|word| word.starts_with("-D") || word.starts_with("-I")),
    );
    options.extend((!source.flags.fuses()).then_some("-ffp-contract=off"));
    options.extend(source.flags.fast_math.then_some("-ffast-math"));
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
fn to_file(source: &Input<'_>, compiler: &OsStr, options: &[&str], with: String) -> Result<Compiled, Error> {
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
        Ok((Some(ptx), _)) => {
            let (shared, instances, origins, warnings) = (vec![], vec![], vec![], String::new());
            Ok(Compiled { ptx, with, shared, instances, origins, warnings, is_self_contained: false })
        }
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
pub(crate) fn run(program: &OsStr, arguments: &[&OsStr], input: &str) -> Option<Output> {
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

    fn nothing(input: &Input<'_>) -> Result<Compiled, Error> {
        Err(input.refused("nothing".to_owned(), b"called"))
    }

    /// A `.cu` in its own folder.
    fn file(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.cu");
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_an_end_is_refused() {
        let error = compile(Path::new("/dev/zero"), Compiler::Own, nothing).unwrap_err().to_string();
        assert!(error.contains("/dev/zero") && error.contains("a device"), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = compile(Path::new("no/such.cu"), Compiler::Own, nothing).unwrap_err();
        assert!(matches!(error, Error::Read { .. }), "{error}");
        assert!(error.to_string().starts_with("no/such.cu: "), "{error}");
    }

    #[test]
    fn a_source_in_latin_1_is_text() {
        let (_folder, path) = file(b"// Universit\xe9\nint a;\n");
        let own = |input: &Input<'_>| Err(input.refused("nothing".to_owned(), input.text.as_bytes()));
        let error = compile(&path, Compiler::Own, own).unwrap_err().to_string();
        assert!(error.ends_with("// Universit\u{e9}\nint a;"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_text_is_refused_at_its_first_bad_byte() {
        for (content, expected) in [
            (&b"int\0a;"[..], "byte 3 is a NUL"),
            (b"\xff\xfei\0n\0t\0", "the file is UTF-16, save it with the encoding UTF-8"),
        ] {
            let (_folder, path) = file(content);
            let error = compile(&path, Compiler::Own, nothing).unwrap_err();
            assert!(error.to_string().ends_with(expected), "{error}");
        }
    }

    #[test]
    fn a_compiler_that_is_not_there_is_an_error_that_names_the_command_to_run() {
        let error = Error::NoCompiler { path: "mine.cu".into(), compiler: Compiler::Nvrtc };
        let error = error.to_string();
        assert!(
            error.contains("nvrtc was not found") && error.contains("pip install nvidia-cuda-nvrtc-cu12"),
            "{error}"
        );
    }

    #[test]
    fn a_compiler_is_chosen_by_its_word() {
        for one in Compiler::ALL {
            assert_eq!(one.word().parse(), Ok(one));
        }
        assert!("gcc".parse::<Compiler>().is_err_and(|words| words.contains("own, nvrtc, nvcc, clang")));
    }

    #[test]
    fn a_source_chooses_its_architecture_in_its_first_comment() {
        assert_eq!(architecture("// What it is.\n// arch: compute_70\nint a;"), Some("70"));
        assert_eq!(architecture("// arch: compute_90a\n"), Some("90a"));
        assert_eq!(architecture("int a;\n// arch: compute_70\n"), None);
    }

    #[test]
    fn an_architecture_that_the_compiler_forgot_becomes_the_oldest_it_knows() {
        assert_eq!(oldest("52", ["75", "80"].into_iter()), "75");
        assert_eq!(oldest("80", ["75", "80", "90"].into_iter()), "80");
        assert_eq!(oldest("90a", ["75"].into_iter()), "90a");
        assert_eq!(oldest("52", [].into_iter()), "52");
    }
}
