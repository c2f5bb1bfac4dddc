//! Options of a compilation, as nvcc's flags say them.
//!
//! Enters: the values of flags. Leaves: the compiler's options, or why a value cannot be obeyed. This module must never know which
//! files are compiled.

use anyhow::{Context, bail};
use clap::Args;
use cuda::{Arch, Language, Options};

/// Heading of nvcc's flags in the help.
const HEADING: &str = "Options as nvcc has them, with one dash or two";

/// Standards of C++ that nvcc knows.
const STANDARDS: [&str; 6] = ["c++03", "c++11", "c++14", "c++17", "c++20", "c++23"];

/// Libraries that change nothing: what they have is there without them.
const LIBRARIES: [&str; 11] =
    ["m", "c", "stdc++", "pthread", "rt", "dl", "gomp", "cudart", "cudart_static", "cudadevrt", "curand"];

/// Libraries that there are not, by how their names begin, with what to use in their place.
const MISSING: [(&str, &str); 12] = [
    ("cublas", "write the product of matrices as a kernel"),
    ("cufft", "write the transform as a kernel"),
    ("cusparse", "write the operation as a kernel"),
    ("cusolver", "write the solver as a kernel"),
    ("cudnn", "write the layers as kernels"),
    ("nccl", "there is one device"),
    ("mpi", "the program is one process"),
    ("nvrtc", "kernels are compiled with the program"),
    ("nvToolsExt", "remove the calls of NVTX"),
    ("npp", "write the operation as a kernel"),
    ("cuda", "use the runtime API: functions that begin with `cuda` instead of `cu`"),
    ("nvjpeg", "write pictures as PPM files"),
];

/// nvcc's flags that a compilation obeys.
#[derive(Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct Nvcc {
    /// Define a macro: `-D N=64` or `-DN=64`
    #[arg(short = 'D', long = "define-macro", value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Leave a macro that `-D` defines undefined
    #[arg(short = 'U', long = "undefine-macro", value_name = "NAME")]
    undefines: Vec<String>,
    /// Look for headers in this folder, after that of the file that includes them
    #[arg(short = 'I', long = "include-path", value_name = "FOLDER")]
    pub(crate) headers: Vec<String>,
    /// The same, after the folders of `-I`: `-isystem FOLDER`
    #[arg(long = "system-include", value_name = "FOLDER")]
    pub(crate) system_headers: Vec<String>,
    /// Include a header before each file: `-include FILE`
    #[arg(long = "pre-include", value_name = "FILE")]
    pre_includes: Vec<String>,
    /// Standard of C++, such as `-std=c++14`; the compiler's is C++17, which has what those before it have
    #[arg(long, value_name = "STANDARD")]
    std: Option<String>,
    /// Level of optimisation, 0 to 3, which changes nothing here
    #[arg(short = 'O', long = "optimize", value_name = "LEVEL")]
    level: Option<String>,
    /// Architecture that kernels are compiled for, as in `-arch=sm_80`: `__CUDA_ARCH__` follows it [default: the chip's]
    #[arg(long = "gpu-architecture", value_name = "ARCH")]
    arch: Vec<String>,
    /// The same as `-gencode arch=compute_80,code=sm_80`, of which the newest that the chip can run counts
    #[arg(long = "generate-code", value_name = "SPECIFICATION")]
    generate: Vec<String>,
    /// Link the device code of several files: `-rdc=true`
    #[arg(long = "relocatable-device-code", value_name = "BOOL")]
    relocatable: Option<bool>,
    #[arg(long = "device-c", hide = true)]
    relocatable_objects: bool,
    /// Single precision by the quick instructions
    #[arg(long = "use_fast_math")]
    fast_math: bool,
    /// Whether a product and a sum may be rounded once [default: true]
    #[arg(long, value_name = "BOOL")]
    fmad: Option<bool>,
    #[arg(long, hide = true)]
    ftz: Option<bool>,
    #[arg(long = "prec-div", hide = true)]
    prec_div: Option<bool>,
    #[arg(long = "prec-sqrt", hide = true)]
    prec_sqrt: Option<bool>,
    /// For a debugger: products and sums are not rounded once, and `__CUDACC_DEBUG__` is defined
    #[arg(short = 'G', long = "device-debug")]
    debug: bool,
    /// Language of all files, `cu`, `c++` or `c`, whatever they are called
    #[arg(short = 'x', long = "language", value_name = "LANGUAGE")]
    language: Option<String>,
    /// Library; those that programs of one process need are always there
    #[arg(short = 'l', long = "library", value_name = "NAME")]
    libraries: Vec<String>,
    /// Options for the host compiler, as in `-Xcompiler -fopenmp`
    #[arg(long = "compiler-options", value_name = "OPTIONS", allow_hyphen_values = true)]
    compiler: Vec<String>,
    #[arg(long = "default-stream", hide = true)]
    stream: Option<String>,
    /// Name of the program, which its `argv[0]` is
    #[arg(short = 'o', long = "output-file", value_name = "NAME")]
    pub(crate) output: Option<String>,
    /// No warnings
    #[arg(short = 'w', long = "disable-warnings")]
    pub(crate) quiet: bool,
}

impl Nvcc {
    /// The compiler's options for a chip of an architecture and a name.
    pub(crate) fn options(&self, chip: Arch, name: &str) -> anyhow::Result<Options> {
        self.check()?;
        let mut fmad = self.fmad.unwrap_or(!self.debug);
        let mut defines: Vec<(String, String)> = self.defines.iter().map(|one| macro_of(one)).collect();
        let (mut undefines, mut headers) = (self.undefines.clone(), self.pre_includes.clone());
        for word in self.compiler.iter().flat_map(|words| words.split(',')).flat_map(str::split_whitespace) {
            match word.split_at_checked(2) {
                Some(("-D", one)) => defines.push(macro_of(one)),
                Some(("-U", one)) => undefines.push(one.to_owned()),
                Some(("-f" | "-W" | "-O" | "-m" | "-g" | "-w" | "-p" | "-s" | "/W" | "/O" | "/E", _)) => {}
                _ => bail!(
                    "`-Xcompiler {word}` is not supported: the host compiler is a part of this program; known are `-f…`, `-W…`, `-O…`, `-m…`, `-g`, `-D…` and `-U…`"
                ),
            }
        }
        defines.retain(|(name, _)| !undefines.contains(name));
        if self.debug {
            defines.push(("__CUDACC_DEBUG__".to_owned(), "1".to_owned()));
            fmad = self.fmad.unwrap_or(false);
        }
        headers.dedup();
        Ok(Options {
            arch: self.architecture(chip, name)?,
            defines,
            before: headers,
            fmad,
            fast_math: self.fast_math,
            relocatable: self.relocatable.unwrap_or(false) || self.relocatable_objects,
            language: self.language()?,
            ..Options::default()
        })
    }

    fn language(&self) -> anyhow::Result<Option<Language>> {
        Ok(match self.language.as_deref() {
            None => None,
            Some("cu") => Some(Language::Cuda),
            Some("c++") => Some(Language::Cpp),
            Some("c") => Some(Language::C),
            Some(other) => bail!("`-x {other}`: a language is `cu`, `c++` or `c`"),
        })
    }

    /// Refuses values that cannot be obeyed.
    fn check(&self) -> anyhow::Result<()> {
        if let Some(standard) = &self.std
            && !STANDARDS.contains(&&**standard)
        {
            bail!("`-std={standard}`: a standard is one of {}", STANDARDS.join(", "));
        }
        if let Some(level) = &self.level
            && !matches!(&**level, "0" | "1" | "2" | "3")
        {
            bail!("`-O{level}`: a level of optimisation is 0, 1, 2 or 3");
        }
        if let Some(stream) = &self.stream
            && !matches!(&**stream, "legacy" | "null")
        {
            bail!("`-default-stream {stream}` is not supported: create the streams with `cudaStreamCreate`");
        }
        for (flag, value, usual) in
            [("ftz", self.ftz, false), ("prec-div", self.prec_div, true), ("prec-sqrt", self.prec_sqrt, true)]
        {
            if value.is_some_and(|value| value != (usual != self.fast_math)) {
                let value = value.unwrap_or_default();
                bail!(
                    "`-{flag}={value}` is not supported apart from the others: `-use_fast_math` has small numbers zero, and quotients, roots and functions approximate"
                );
            }
        }
        self.libraries.iter().try_for_each(|library| known_library(library))
    }

    /// The architecture that kernels are compiled for: the newest of those that are named and that the chip can run.
    fn architecture(&self, chip: Arch, name: &str) -> anyhow::Result<Arch> {
        let mut named: Vec<Arch> = vec![];
        for one in &self.arch {
            named.push(match &**one {
                "native" | "all" | "all-major" => chip,
                one => arch_of(one).with_context(|| format!("`-arch={one}`"))?,
            });
        }
        for one in self.generate.iter().map(|one| one.trim_matches(['"', '\''])) {
            let arch = one.split(',').find_map(|part| part.trim().strip_prefix("arch="));
            let arch =
                arch.with_context(|| format!("`-gencode {one}`: expected `arch=compute_90,code=sm_90`"))?;
            named.push(arch_of(arch).with_context(|| format!("`-gencode {one}`"))?);
        }
        if named.is_empty() {
            return Ok(chip);
        }
        let runs = |one: &&Arch| one.number <= chip.number;
        let best = named.iter().filter(runs).max_by_key(|one| one.number);
        best.copied().with_context(|| {
            let newest = named[0].number;
            let (major, minor) = (chip.number / 10, chip.number % 10);
            format!(
                "kernels for sm_{newest} do not run on the {name}, whose compute capability is {major}.{minor}: leave the architecture out, or write `-arch=sm_{}`",
                chip.number
            )
        })
    }
}

/// An architecture as nvcc has it: `sm_90` or `compute_90`.
fn arch_of(text: &str) -> anyhow::Result<Arch> {
    let known = text.starts_with("sm_") || text.starts_with("compute_");
    let found = text.parse::<Arch>().ok().filter(|_| known);
    found.with_context(|| {
        format!("unknown architecture `{text}`: expected one such as `sm_80` or `compute_90`")
    })
}

/// A macro with its value.
fn macro_of(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    (name.to_owned(), value.to_owned())
}

fn known_library(name: &str) -> anyhow::Result<()> {
    if LIBRARIES.contains(&name) {
        return Ok(());
    }
    match MISSING.iter().find(|(one, _)| name.to_ascii_lowercase().starts_with(&one.to_ascii_lowercase())) {
        Some((_, instead)) => bail!("`-l{name}` is not supported: {instead}"),
        None => bail!(
            "cannot find -l{name}: programs are linked with none but the C library, the C++ library and the CUDA runtime ({})",
            LIBRARIES.map(|one| format!("-l{one}")).join(" ")
        ),
    }
}
