//! The job file: from TOML to a job, with every check that needs no device.
//!
//! Enters: a path. Leaves: a [`Job`], or an error with the file, the line and the field. Every path of the file is
//! relative to the file. The files that it names are checked (do they exist, with the right size) but not read,
//! except the module and small ones.

use crate::compare::Tolerance;
use crate::error::Error;
use crate::init::Init;
use crate::profile::Sources;
use crate::raw::{Exactly, RawArg, RawBuffer, RawInit, RawJob, RawLaunch, RawOutput, RawSymbol};
use crate::scalar::{Number, Type};
use device::{Arg, InstructionProfile, Launch};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The largest job file, bytes: written by hand or a script, not data.
const LARGEST_JOB: u64 = 16 << 20;
/// The largest module, bytes.
const LARGEST_MODULE: u64 = 64 << 20;
/// The most that the parameters of a kernel take, bytes (PTX ISA, "Parameter State Space": 32,764 since PTX 8.1).
const LARGEST_ARGUMENT: u64 = 32764;
/// The largest file for a symbol, bytes: what a chip's memory would hold is the device's to say.
const LARGEST_SYMBOL: u64 = 1 << 30;

/// A job that can run.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The job file, as it was given.
    pub path: PathBuf,
    /// The module's path.
    pub module: PathBuf,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) launches: Vec<LaunchEntry>,
    pub(crate) outputs: Vec<Output>,
    /// The files that the job reads, itself among them.
    pub(crate) inputs: BTreeSet<PathBuf>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Buffer {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Elements.
    pub(crate) len: u64,
    pub(crate) bytes: u64,
    pub(crate) init: Option<Init>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Symbol {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) ty: Option<Type>,
    pub(crate) bytes: Vec<u8>,
}

/// A buffer of the job, by its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BufferId(usize);

impl BufferId {
    /// Its index among the job's buffers.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// A `[[launch]]` of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LaunchEntry {
    pub(crate) line: usize,
    /// A job has one module.
    pub(crate) launch: Launch<(), BufferId>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Output {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) from: From,
    /// The type its bytes are read as.
    pub(crate) ty: Type,
    pub(crate) tolerance: Tolerance,
    /// File that the output is compared with, as the job names it and as a path from the working directory.
    pub(crate) expected: Option<(PathBuf, PathBuf)>,
}

/// Place of an output's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Buffer(BufferId),
    Symbol,
}

/// Whether the files that outputs are compared with must exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// They must exist: the run compares outputs with them.
    Compare,
    /// They need not exist: the run writes them.
    Record,
}

impl Job {
    /// Reads a job file.
    ///
    /// # Errors
    /// [`Error::Job`].
    pub fn read(path: &Path, expected: Expected) -> Result<Job, Error> {
        let text = read(path, LARGEST_JOB).map_err(|reason| Error::job(path, None, reason))?;
        let text = String::from_utf8(text).map_err(|e| {
            Error::job(
                path,
                None,
                format!("byte {} is not UTF-8; a job file is TOML", e.utf8_error().valid_up_to()),
            )
        })?;
        Self::parse(path, &text, expected)
    }

    /// Reads the text of a job file that is, or could be, at `path`.
    ///
    /// # Errors
    /// [`Error::Job`].
    pub fn parse(path: &Path, text: &str, expected: Expected) -> Result<Job, Error> {
        let inputs = RefCell::new(BTreeSet::from([path.to_owned()]));
        let reader = Reader { path, text, expected, inputs };
        let raw: RawJob = toml::from_str(text).map_err(|e| {
            let line = e.span().map(|span| reader.line(span.start));
            // The line itself names the field.
            let shown = line.and_then(|n| text.lines().nth(n - 1)).map_or("", str::trim);
            let message = if shown.is_empty() { String::new() } else { format!("\n  in: {shown:.100}") };
            Error::job(path, line, format!("{}{message}", e.message()))
        })?;
        reader.job(raw)
    }

    /// The module's text: of a `.ptx` the file's, of a `.cu` what a compiler makes of it.
    ///
    /// # Errors
    /// [`Error::Job`] or [`Error::Compile`].
    pub(crate) fn ptx(&self) -> Result<String, Error> {
        if self.module.extension().is_some_and(|e| e == "cu") {
            return Ok(kernels::compile(&self.module)?.ptx);
        }
        let bad = |message: String| Error::job(&self.path, None, format!("module: {message}"));
        let bytes = read(&self.module, LARGEST_MODULE).map_err(bad)?;
        String::from_utf8(bytes).map_err(|e| {
            bad(format!("{}: byte {} is not UTF-8", self.module.display(), e.utf8_error().valid_up_to()))
        })
    }
}

impl Job {
    /// Name of the PTX in errors and listings.
    pub(crate) fn ptx_name(&self) -> String {
        let path = self.module.display();
        if self.module.extension().is_some_and(|e| e == "cu") {
            format!("PTX of {path}")
        } else {
            path.to_string()
        }
    }

    /// The files that instructions come from, as far as they lie beside the module: a line table's folders are those
    /// of whoever compiled it.
    pub(crate) fn sources<'a>(&self, profile: impl Iterator<Item = &'a InstructionProfile>) -> Sources {
        let folder = self.module.parent().unwrap_or(Path::new(""));
        let mut sources = Sources::new();
        let mut seen = HashSet::new();
        for name in profile.filter_map(|i| Some(&i.place.counted_line()?.0)) {
            let Some(file) = name.rsplit(['/', '\\']).next().filter(|file| !file.is_empty()) else {
                continue;
            };
            if !seen.insert(name) {
                continue;
            }
            if let Ok(bytes) = read(&folder.join(file), LARGEST_MODULE) {
                sources.insert(name.clone(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        sources
    }
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    expected: Expected,
    /// Files found so far that the job reads.
    inputs: RefCell<BTreeSet<PathBuf>>,
}

impl Reader<'_> {
    /// Line of a byte of the text, from 1.
    fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes().iter().take(at).filter(|&&b| b == b'\n').count()
    }

    fn error(&self, line: usize, message: impl Into<String>) -> Error {
        Error::job(self.path, Some(line), message)
    }

    /// A path of the job file, from here.
    fn resolve(&self, path: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }

    /// The path of a file that the job reads.
    fn input(&self, path: &Path) -> PathBuf {
        let path = self.resolve(path);
        self.inputs.borrow_mut().insert(path.clone());
        path
    }

    fn job(&self, raw: RawJob) -> Result<Job, Error> {
        let line = self.line(raw.module.span().start);
        let module = self.input(raw.module.get_ref());
        if !module.extension().is_some_and(|e| e == "ptx" || e == "cu") {
            return Err(self.error(line, "module: a .ptx or .cu file is needed"));
        }
        size(&module).map_err(|reason| self.error(line, format!("module: {reason}")))?;

        let mut buffers: Vec<Buffer> = Vec::with_capacity(raw.buffer.len());
        let mut names = HashSet::new();
        for spanned in raw.buffer {
            let line = self.line(spanned.span().start);
            let buffer = self.buffer(line, spanned.into_inner())?;
            if !names.insert(buffer.name.clone()) {
                return Err(
                    self.error(line, format!("buffer `{}`: another buffer has the same name", buffer.name))
                );
            }
            buffers.push(buffer);
        }
        let symbols: Vec<Symbol> = raw
            .symbol
            .into_iter()
            .map(|s| self.symbol(self.line(s.span().start), s.into_inner()))
            .collect::<Result<_, _>>()?;
        if raw.launch.is_empty() {
            return Err(Error::job(self.path, None, "there is no [[launch]], so nothing would run"));
        }
        let launches = raw
            .launch
            .into_iter()
            .map(|l| self.launch(self.line(l.span().start), l.into_inner(), &buffers))
            .collect::<Result<_, _>>()?;
        let mut outputs: Vec<Output> = Vec::with_capacity(raw.output.len());
        for spanned in raw.output {
            let line = self.line(spanned.span().start);
            let output = self.output(line, spanned.into_inner(), &buffers, &symbols)?;
            if outputs.iter().any(|o| o.name == output.name) {
                return Err(
                    self.error(line, format!("output `{}`: another output has the same name", output.name))
                );
            }
            outputs.push(output);
        }
        let inputs = self.inputs.take();
        Ok(Job { path: self.path.to_owned(), module, buffers, symbols, launches, outputs, inputs })
    }

    fn buffer(&self, line: usize, raw: RawBuffer) -> Result<Buffer, Error> {
        let RawBuffer { name, ty, len, init } = raw;
        let error = |message: String| self.error(line, format!("buffer `{name}`: {message}"));
        file_name(&name).map_err(|reason| error(format!("name: {reason}")))?;
        if len == 0 {
            return Err(error("len: at least 1 element is needed".into()));
        }
        let bytes = len
            .checked_mul(ty.bytes() as u64)
            .ok_or_else(|| error(format!("len: {len} elements are more than any memory holds")))?;
        let init = match init {
            Some(raw) => {
                Some(self.init(raw, ty, len, bytes).map_err(|reason| error(format!("init: {reason}")))?)
            }
            None => None,
        };
        Ok(Buffer { line, name, ty, len, bytes, init })
    }

    fn init(&self, raw: RawInit, ty: Type, len: u64, bytes: u64) -> Result<Init, String> {
        const ONE: &str =
            "one of file, fill, iota, uniform is needed (leave init out for an uninitialised buffer)";
        let RawInit { file, fill, iota, uniform, seed } = raw;
        if seed.is_some() && uniform.is_none() {
            return Err("seed is only for uniform".into());
        }
        match (file, fill, iota, uniform) {
            (Some(file), None, None, None) => {
                let file = self.input(&file);
                let found = size(&file)?;
                if found != bytes {
                    let path = file.display();
                    return Err(format!("{path} has {found} bytes, but {len} × {ty} take {bytes}"));
                }
                Ok(Init::File(file))
            }
            (None, Some(value), None, None) => {
                Ok(Init::Fill(ty.encode(value).map_err(|e| format!("fill: {e}"))?))
            }
            (None, None, Some(first), None) => {
                ty.encode(first).map_err(|e| format!("iota: {e}"))?;
                if ty.is_float() {
                    let last = Number::Float(first.as_f64() + (len - 1) as f64);
                    ty.encode(last).map_err(|e| format!("iota: the last element: {e}"))?;
                }
                Ok(Init::Iota(first))
            }
            (None, None, None, Some(Exactly([low, high]))) => {
                uniform_range(ty, low, high).map_err(|e| format!("uniform: {e}"))?;
                Ok(Init::Uniform { low, high, seed: seed.unwrap_or(0) })
            }
            _ => Err(ONE.into()),
        }
    }

    fn symbol(&self, line: usize, raw: RawSymbol) -> Result<Symbol, Error> {
        let RawSymbol { name, file, values, ty } = raw;
        let error = |message: String| self.error(line, format!("symbol `{name}`: {message}"));
        let bytes = match (file, values, ty) {
            (Some(file), None, _) => {
                let file = self.input(&file);
                let bytes = read(&file, LARGEST_SYMBOL).map_err(|reason| error(format!("file: {reason}")))?;
                if let Some(ty) = ty.filter(|ty| bytes.len() % ty.bytes() != 0) {
                    let (path, len) = (file.display(), bytes.len());
                    return Err(error(format!(
                        "file: {path} has {len} bytes, which is not a whole number of {ty}"
                    )));
                }
                bytes
            }
            (None, Some(values), Some(ty)) => {
                let mut bytes = Vec::with_capacity(values.len() * ty.bytes());
                for (i, value) in values.into_iter().enumerate() {
                    let bits = ty.encode(value).map_err(|e| error(format!("values: number {i}: {e}")))?;
                    bytes.extend(&bits.to_le_bytes()[..ty.bytes()]);
                }
                bytes
            }
            (None, Some(_), None) => return Err(error("values need a type, such as type = \"f32\"".into())),
            _ => return Err(error("either file or values with a type is needed".into())),
        };
        if bytes.is_empty() {
            return Err(error("there is nothing to write to it".into()));
        }
        Ok(Symbol { line, name, ty, bytes })
    }

    fn launch(&self, line: usize, raw: RawLaunch, buffers: &[Buffer]) -> Result<LaunchEntry, Error> {
        let RawLaunch {
            kernel,
            grid: Exactly(grid),
            block: Exactly(block),
            shared_bytes,
            args,
            cluster,
            cooperative,
        } = raw;
        let cluster = cluster.map(|Exactly(cluster)| cluster);
        let args = args
            .into_iter()
            .enumerate()
            .map(|(n, arg)| {
                let line = self.line(arg.span().start);
                self.arg(arg.into_inner(), buffers).map_err(|reason| {
                    self.error(line, format!("launch of `{kernel}`: argument {n}: {reason}"))
                })
            })
            .collect::<Result<_, _>>()?;
        let launch = Launch { module: (), kernel, grid, block, shared_bytes, args, cluster, cooperative };
        Ok(LaunchEntry { line, launch })
    }

    fn arg(&self, raw: RawArg, buffers: &[Buffer]) -> Result<Arg<BufferId>, String> {
        let RawArg { bool, u8, i8, u16, i16, f16, u32, i32, f32, u64, i64, f64, bytes_file, buffer, offset } =
            raw;
        if offset.is_some() && buffer.is_none() {
            return Err("offset is only for a buffer".into());
        }
        let mut found: Vec<Arg<BufferId>> = Vec::new();
        let numbers = [
            (Type::U8, u8),
            (Type::I8, i8),
            (Type::U16, u16),
            (Type::I16, i16),
            (Type::F16, f16),
            (Type::U32, u32),
            (Type::I32, i32),
            (Type::F32, f32),
            (Type::U64, u64),
            (Type::I64, i64),
            (Type::F64, f64),
        ];
        for (ty, number) in numbers {
            if let Some(number) = number {
                found.push(Arg::Bytes(ty.encode(number)?.to_le_bytes()[..ty.bytes()].to_vec()));
            }
        }
        found.extend(bool.map(|b| Arg::Bytes(vec![b.into()])));
        if let Some(file) = bytes_file {
            found.push(Arg::Bytes(read(&self.input(&file), LARGEST_ARGUMENT)?));
        }
        if let Some(name) = buffer {
            found.push(Arg::Buffer { buffer: find(buffers, &name)?, offset: offset.unwrap_or(0) });
        }
        match <[Arg<BufferId>; 1]>::try_from(found) {
            Ok([arg]) => Ok(arg),
            Err(found) => Err(format!(
                "{} where one value is needed: a number such as {{ i32 = 1 }}, {{ buffer = \"…\" }} or {{ bytes_file = \"…\" }}",
                if found.is_empty() { "nothing" } else { "several" }
            )),
        }
    }

    fn output(
        &self,
        line: usize,
        raw: RawOutput,
        buffers: &[Buffer],
        symbols: &[Symbol],
    ) -> Result<Output, Error> {
        let RawOutput { buffer, symbol, ty, file, atol, rtol } = raw;
        let (name, from, known) = match (buffer, symbol) {
            (Some(name), None) => {
                let at =
                    find(buffers, &name).map_err(|reason| self.error(line, format!("output: {reason}")))?;
                (name, From::Buffer(at), Some(buffers[at.0].ty))
            }
            (None, Some(name)) => {
                file_name(&name).map_err(|reason| self.error(line, format!("output: symbol: {reason}")))?;
                let known = symbols.iter().find(|s| s.name == name).and_then(|s| s.ty);
                (name, From::Symbol, known)
            }
            _ => return Err(self.error(line, "output: either buffer or symbol is needed")),
        };
        let error = |message: String| self.error(line, format!("output `{name}`: {message}"));
        let bound = |what: &str, number: Option<Number>| {
            let value = number.map_or(0.0, Number::as_f64);
            let fits = value.is_finite() && value >= 0.0;
            if fits { Ok(value) } else { Err(error(format!("{what}: a number of at least 0 is needed"))) }
        };
        let tolerance = Tolerance { atol: bound("atol", atol)?, rtol: bound("rtol", rtol)? };
        let ty = match ty.or(known) {
            Some(ty) => ty,
            None if tolerance == Tolerance::default() => Type::U8, // bit for bit, so the type does not matter
            None => {
                return Err(error("a symbol with tolerances needs a type, such as type = \"f32\"".into()));
            }
        };
        let compared = self.expected == Expected::Compare;
        let resolve = |file: &Path| if compared { self.input(file) } else { self.resolve(file) };
        let expected = file.map(|file| (file.clone(), resolve(&file)));
        if let (Expected::Compare, Some((_, path))) = (self.expected, &expected) {
            let found = size(path).map_err(|reason| error(format!("file: {reason}")))?;
            if let From::Buffer(at) = from {
                let Buffer { bytes, len, ty, .. } = &buffers[at.0];
                if found != *bytes {
                    let path = path.display();
                    return Err(error(format!(
                        "file: {path} has {found} bytes, but {len} × {ty} take {bytes}"
                    )));
                }
            }
        }
        if let From::Buffer(at) = from
            && !buffers[at.0].bytes.is_multiple_of(ty.bytes() as u64)
        {
            return Err(error(format!("type: the size of the buffer is not a whole number of {ty}")));
        }
        Ok(Output { line, name, from, ty, tolerance, expected })
    }
}

/// A buffer's place in the job.
fn find(buffers: &[Buffer], name: &str) -> Result<BufferId, String> {
    buffers.iter().position(|b| b.name == name).map(BufferId).ok_or_else(|| {
        let there: Vec<_> = buffers.iter().map(|b| b.name.as_str()).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        format!("there is no buffer `{name}`; there are: {there}")
    })
}

/// A name becomes that of a file, `<name>.bin`.
fn file_name(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '%');
    if name.is_empty() || name.len() > 200 || name.starts_with('.') || !name.chars().all(allowed) {
        return Err(format!("{name:?} cannot name a file: letters, digits and _ - . $ % are allowed"));
    }
    Ok(())
}

fn uniform_range(ty: Type, low: Number, high: Number) -> Result<(), String> {
    if ty.is_float() {
        ty.encode(low)?;
        ty.encode(high)?;
        let (low, high) = (low.as_f64(), high.as_f64());
        let usable = low < high && (high - low).is_finite();
        return if usable { Ok(()) } else { Err(format!("{low:?} to {high:?} is not a range")) };
    }
    ty.encode(low)?;
    match (low, high) {
        (Number::Int(low), Number::Int(high)) if low < high && high - 1 <= ty.range().1 => Ok(()),
        _ => Err(format!("{low} to {high} is not a range of {ty} (the upper bound is exclusive)")),
    }
}

/// Size of a file, bytes; anything but a plain file is refused, for it may have no end.
fn size(path: &Path) -> Result<u64, String> {
    let metadata = std::fs::metadata(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        Err(format!("{} is not a regular file", path.display()))
    }
}

/// A whole file of at most `limit` bytes.
fn read(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let found = size(path)?;
    if found > limit {
        return Err(format!("{} has {found} bytes, and at most {limit} are allowed", path.display()));
    }
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(failed)?.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
