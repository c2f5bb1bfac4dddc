//! A job's module on its device: kernels and variables by the names that a job file gives them.

use crate::error::Error;
use crate::job::Job;
use crate::module::Text;
use device::{Device, Module, SimtError};
use kernels::Shared;
use names::{self, Lookup};
use std::cell::RefCell;
use std::collections::HashMap;

/// A loaded module and what is in it.
pub(crate) struct Loaded {
    pub(crate) module: Module,
    name: String,
    kernels: Names,
    symbols: Names,
    shared: Vec<Shared>,
}

/// Names of a module, with those of the job file that were looked up: steps that are repeated do so again and again.
struct Names {
    all: Vec<String>,
    found: RefCell<HashMap<String, String>>,
}

impl Names {
    fn new(all: Vec<String>) -> Names {
        Names { all, found: RefCell::default() }
    }

    fn find(&self, wanted: &str) -> Result<String, Lookup> {
        if let Some(name) = self.found.borrow().get(wanted) {
            return Ok(name.clone());
        }
        let name = names::find(wanted, &self.all)?.to_owned();
        self.found.borrow_mut().insert(wanted.to_owned(), name.clone());
        Ok(name)
    }

    /// For an error, as the source has them.
    fn listed(&self) -> Vec<String> {
        names::listed(self.all.iter().map(String::as_str))
    }
}

impl Loaded {
    pub(crate) fn new(device: &mut dyn Device, name: &str, text: &Text) -> Result<Loaded, device::Error> {
        let module = device.load(name, &text.ptx)?;
        let kernels = Names::new(device.kernels(module)?);
        // The compiler knows which instance a name means, whatever it is written with.
        let known = text.instances.iter().filter(|(_, symbol)| kernels.all.contains(symbol)).cloned();
        kernels.found.borrow_mut().extend(known);
        let symbols = Names::new(device.symbols(module)?);
        Ok(Loaded { module, name: name.to_owned(), kernels, symbols, shared: text.shared.clone() })
    }

    /// The element of shared memory that a fault is about, in the source's own words, as far as these are known.
    pub(crate) fn element(&self, name: &str, offset: i64) -> Option<String> {
        names::element(&self.shared, name, offset)
    }

    /// The module's name of a kernel.
    ///
    /// # Errors
    /// A kernel that is not there, or a name that several have.
    pub(crate) fn kernel(&self, job: &Job, line: usize, wanted: &str) -> Result<String, Error> {
        self.kernels.find(wanted).map_err(|lookup| match lookup {
            Lookup::Missing => {
                let missing = SimtError::MissingKernel {
                    kernel: wanted.to_owned(),
                    module: self.name.clone(),
                    there: self.kernels.listed(),
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
        self.symbols.find(wanted).map_err(|lookup| match lookup {
            Lookup::Missing => {
                let missing = SimtError::MissingSymbol {
                    symbol: wanted.to_owned(),
                    module: self.name.clone(),
                    there: self.symbols.listed(),
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
