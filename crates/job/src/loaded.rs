//! A job's module on its device: kernels and variables by the names that a job file gives them.

use crate::error::Error;
use crate::job::{Job, LaunchEntry};
use crate::module::{LARGEST, Text};
use crate::source;
use device::{Device, Fault, FaultKind, SimtError};
use faults::{Memory, Stopped};
use names::{self, Lookup};
use std::cell::OnceCell;

/// A loaded module, with its text.
pub(crate) struct Loaded {
    pub(crate) module: harness::Module,
    name: String,
    pub(crate) text: Text,
    /// The text of its source.
    source: OnceCell<String>,
}

/// Names of a module for an error, as the source has them.
fn listed(names: &[String]) -> Vec<String> {
    names::listed(names.iter().map(String::as_str))
}

impl Loaded {
    pub(crate) fn new(device: &mut dyn Device, name: &str, text: Text) -> Result<Loaded, device::Error> {
        let module = harness::Module::load(device, name, &text.ptx, &text.instances)?;
        Ok(Loaded { module, name: name.to_owned(), text, source: OnceCell::new() })
    }

    /// A fault of a launch in the words of the source, as far as these are known.
    pub(crate) fn in_words(&self, job: &Job, entry: &LaunchEntry, fault: Fault) -> Fault {
        let near = |fault: &Fault, name: &str| {
            let ty = match fault.kind {
                FaultKind::OutOfBoundsConstant => {
                    let is_it = |symbol: &&crate::job::Symbol| {
                        self.module.symbol(&symbol.name).is_ok_and(|found| names::readable(&found) == name)
                    };
                    job.symbols.iter().find(is_it)?.ty?
                }
                _ => job.buffers.iter().find(|buffer| buffer.name == name)?.ty,
            };
            Some(Memory::of(name, ty.bytes() as u64))
        };
        let Text { ptx, shared, origins, .. } = &self.text;
        let buffers = faults::called(self.source(job), &fault.kernel, &entry.launch.args, |id| {
            let buffer = job.buffers.get(id.index())?;
            Some((buffer.name.clone(), Some(Memory::of(&buffer.name, buffer.ty.bytes() as u64))))
        });
        faults::tell(Stopped::new(fault, (ptx, shared), near, buffers), origins)
    }

    /// The module's source, where a compiler reports what of it its lines were made from; empty otherwise. A run may have many
    /// faults, and reads it once.
    fn source(&self, job: &Job) -> &str {
        self.source.get_or_init(|| {
            let read = || source::read(&job.module, LARGEST).map(kernels::decoded).unwrap_or_default();
            if self.text.origins.is_empty() { String::new() } else { read() }
        })
    }

    /// The module's name of a kernel.
    ///
    /// # Errors
    /// A kernel that is not there, or a name that several have.
    pub(crate) fn kernel(&self, job: &Job, line: usize, wanted: &str) -> Result<String, Error> {
        self.module.kernel(wanted).map_err(|lookup| match lookup {
            Lookup::Missing => {
                let missing = SimtError::MissingKernel {
                    kernel: wanted.to_owned(),
                    module: self.name.clone(),
                    there: listed(self.module.kernels()),
                };
                job.refused(line, missing.into())
            }
            Lookup::Ambiguous(names) => ambiguous(job, line, "kernel", wanted, &names),
        })
    }

    /// The module's name of a variable.
    ///
    /// # Errors
    /// A variable that is not there, or a name that several have.
    pub(crate) fn symbol(&self, job: &Job, line: usize, wanted: &str) -> Result<String, Error> {
        self.module.symbol(wanted).map_err(|lookup| match lookup {
            Lookup::Missing => {
                let missing = SimtError::MissingSymbol {
                    symbol: wanted.to_owned(),
                    module: self.name.clone(),
                    there: listed(self.module.symbols()),
                };
                Error::job(&job.path, Some(line), missing.to_string())
            }
            Lookup::Ambiguous(names) => ambiguous(job, line, "symbol", wanted, &names),
        })
    }
}

fn ambiguous(job: &Job, line: usize, what: &str, wanted: &str, names: &[String]) -> Error {
    let message = format!("{what} `{wanted}` is ambiguous; write one of\n  {}", names.join("\n  "));
    Error::job(&job.path, Some(line), message)
}
