//! A job's module on its device: kernels and variables by the names that a job file gives them.

use crate::error::Error;
use crate::job::Job;
use crate::names::{self, Lookup};
use device::{Device, Module, SimtError};

/// A loaded module and what is in it.
pub(crate) struct Loaded {
    pub(crate) module: Module,
    name: String,
    kernels: Vec<String>,
    symbols: Vec<String>,
}

impl Loaded {
    pub(crate) fn new(device: &mut dyn Device, name: &str, ptx: &str) -> Result<Loaded, device::Error> {
        let module = device.load(name, ptx)?;
        let (kernels, symbols) = (device.kernels(module)?, device.symbols(module)?);
        Ok(Loaded { module, name: name.to_owned(), kernels, symbols })
    }

    /// The module's name of a kernel.
    ///
    /// # Errors
    /// A kernel that is not there, or a name that several have.
    pub(crate) fn kernel(&self, job: &Job, line: usize, wanted: &str) -> Result<String, Error> {
        names::find(wanted, &self.kernels).map(str::to_owned).map_err(|lookup| match lookup {
            Lookup::Missing => device::Error::from(SimtError::MissingKernel {
                kernel: wanted.to_owned(),
                module: self.name.clone(),
                there: names::listed(self.kernels.iter().map(String::as_str)),
            })
            .into(),
            Lookup::Ambiguous(names) => ambiguous(job, line, "kernel", wanted, &names),
        })
    }

    /// The module's name of a variable.
    ///
    /// # Errors
    /// A variable that is not there, or a name that several have.
    pub(crate) fn symbol(&self, job: &Job, line: usize, wanted: &str) -> Result<String, Error> {
        names::find(wanted, &self.symbols).map(str::to_owned).map_err(|lookup| match lookup {
            Lookup::Missing => {
                let missing = SimtError::MissingSymbol {
                    symbol: wanted.to_owned(),
                    module: self.name.clone(),
                    there: names::listed(self.symbols.iter().map(String::as_str)),
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
