//! From TOML to a job, with every check that needs no device: one file for each section of the job file.
//!
//! Enters: a path. Leaves: a [`Job`], or an error with the file, the line and the field. Every path of the file is
//! relative to the file. The files that it names are checked (do they exist, with the right size) but not read,
//! except the module and small ones.

mod argument;
mod buffer;
mod contents;
mod output;
mod raw;
mod reader;
mod span;
mod step;
mod symbol;
mod texture;

use crate::error::Error;
use crate::job::Job;
use crate::source;
use crate::texture::Objects;
use kernels::Flags;
use raw::RawJob;
pub use reader::Expected;
use reader::Reader;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use toml::Spanned;

/// The largest job file, bytes: written by hand or a script, not data.
const LARGEST_JOB: u64 = 16 << 20;

impl Job {
    /// Reads a job file.
    ///
    /// # Errors
    /// [`Error::Job`].
    pub fn read(path: &Path, expected: Expected) -> Result<Job, Error> {
        if expected == Expected::DryRun && is_module(path) {
            return Self::of_module(path);
        }
        if is_module(path) {
            let message = "a module is not a job: a job file, in TOML, names it as its module (launch --help shows one); \
                           --dry-run checks a module without a job";
            return Err(Error::job(path, None, message));
        }
        let text = source::read(path, LARGEST_JOB).map_err(|reason| Error::job(path, None, reason))?;
        let text = String::from_utf8(text).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            Error::job(path, None, format!("byte {at} is not UTF-8; a job file is TOML"))
        })?;
        Self::parse(path, &text, expected)
    }

    /// A module alone, of which nothing is launched.
    fn of_module(path: &Path) -> Result<Job, Error> {
        source::size(path).map_err(|reason| Error::job(path, None, reason))?;
        Ok(Job {
            path: path.to_owned(),
            module: path.to_owned(),
            flags: Flags::default(),
            buffers: vec![],
            symbols: vec![],
            objects: Objects::default(),
            steps: vec![],
            outputs: vec![],
            inputs: BTreeSet::from([path.to_owned()]),
        })
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
}

/// Whether a file is PTX or CUDA C, by its name.
fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "ptx" || e == "cu")
}

impl Reader<'_> {
    /// Options for the compiler of the module; folders are relative to the job file.
    fn flags(&self, options: Option<Spanned<String>>, module: &Path) -> Result<Flags, Error> {
        let Some(options) = options else { return Ok(Flags::default()) };
        let line = self.line(options.span().start);
        if module.extension().is_none_or(|e| e != "cu") {
            return Err(self.error(line, "options: the module is already PTX; only a .cu is compiled"));
        }
        let mut flags = Flags::parse(options.get_ref().split_whitespace())
            .map_err(|why| self.error(line, format!("options: {why}")))?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        flags.includes.iter_mut().for_each(|one| *one = folder.join(&*one));
        Ok(flags)
    }

    fn job(&self, mut raw: RawJob) -> Result<Job, Error> {
        let line = self.line(raw.module.span().start);
        let module = self.input(raw.module.get_ref());
        if !is_module(&module) {
            return Err(self.error(line, "module: expected a .ptx or .cu file"));
        }
        source::size(&module).map_err(|reason| self.error(line, format!("module: {reason}")))?;
        let flags = self.flags(raw.options.take(), &module)?;
        let (buffers, late) = self.buffers(std::mem::take(&mut raw.buffer))?;
        let buffers = self.contents(buffers, late)?;
        let objects = self.objects(&mut raw, &buffers)?;
        let symbols = self.symbols(raw.symbol)?;
        let steps = self.steps(raw.launch, raw.step, &buffers, &objects)?;
        let outputs = self.outputs(raw.output, &buffers, &symbols, &objects)?;
        let inputs = self.inputs.take();
        Ok(Job {
            path: self.path.to_owned(),
            module,
            flags,
            buffers,
            symbols,
            objects,
            steps,
            outputs,
            inputs,
        })
    }
}
