//! A job's module on its device: kernels and variables by the names that a job file gives them.

use crate::error::Error;
use crate::job::{Job, LaunchEntry};
use crate::module::{LARGEST, Text};
use crate::source;
use device::{Arg, Device, Fault, FaultKind, SimtError};
use faults::{Called, Memory, Stopped};
use names::{self, Lookup};

/// A loaded module, with its text.
pub(crate) struct Loaded {
    pub(crate) module: harness::Module,
    name: String,
    pub(crate) text: Text,
}

/// Names of a module for an error, as the source has them.
fn listed(names: &[String]) -> Vec<String> {
    names::listed(names.iter().map(String::as_str))
}

impl Loaded {
    pub(crate) fn new(device: &mut dyn Device, name: &str, text: Text) -> Result<Loaded, device::Error> {
        let module = harness::Module::load(device, name, &text.ptx, &text.instances)?;
        Ok(Loaded { module, name: name.to_owned(), text })
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
        let buffers = self.called(job, entry, &fault.kernel);
        let stopped = Stopped::new(fault, (ptx, shared), near, buffers);
        faults::tell(stopped, &|place| {
            let (file, line) = place.written_line()?;
            names::code(origins, place.at.0, (file, *line)).map(str::to_owned)
        })
    }

    /// The buffers of a launch by the names of the kernel's parameters, where the module's source has them.
    fn called(&self, job: &Job, entry: &LaunchEntry, kernel: &str) -> Vec<Called> {
        if self.text.origins.is_empty() {
            return vec![];
        }
        let Ok(source) = source::read(&job.module, LARGEST) else { return vec![] };
        let named = faults::named_parameters(&kernels::decoded(source), kernel);
        let called = |(name, arg): (String, &Arg<_>)| {
            let Arg::Buffer { buffer, offset: 0 } = arg else { return None };
            let buffer: &crate::job::BufferId = buffer;
            let buffer = job.buffers.get(buffer.index())?;
            let memory = Some(Memory::of(&buffer.name, buffer.ty.bytes() as u64));
            Some(Called { name, buffer: buffer.name.clone(), memory })
        };
        named.into_iter().zip(&entry.launch.args).filter_map(called).collect()
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
    let message = format!("{what} `{wanted}`: several are called so; write one of\n  {}", names.join("\n  "));
    Error::job(&job.path, Some(line), message)
}
