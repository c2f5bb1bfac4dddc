//! A loaded module: its kernels and variables by the names that the source gives them.

use device::Device;
use names::Lookup;
use std::cell::RefCell;
use std::collections::HashMap;

/// A module on a device.
#[derive(Debug)]
pub struct Module {
    /// Its handle.
    pub handle: device::Module,
    kernels: Names,
    symbols: Names,
}

/// Names of a module, with those that were looked up: steps that are repeated do so again and again.
#[derive(Debug)]
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
}

impl Module {
    /// Loads a module, which messages call by `name`. `instances` are names of template instances that are known to its compiler,
    /// each with its symbol.
    ///
    /// # Errors
    /// PTX that the device refuses.
    pub fn load<D: Device + ?Sized>(
        device: &mut D,
        name: &str,
        ptx: &str,
        instances: &[(String, String)],
    ) -> Result<Module, device::Error> {
        let handle = device.load(name, ptx)?;
        let kernels = Names::new(device.kernels(handle)?);
        // The compiler knows which instance a name means, however it is spelled.
        let known = instances.iter().filter(|(_, symbol)| kernels.all.contains(symbol)).cloned();
        kernels.found.borrow_mut().extend(known);
        let symbols = Names::new(device.symbols(handle)?);
        Ok(Module { handle, kernels, symbols })
    }

    /// The module's name of a kernel.
    ///
    /// # Errors
    /// A kernel that is not in the module, or a name that several have.
    pub fn kernel(&self, wanted: &str) -> Result<String, Lookup> {
        self.kernels.find(wanted)
    }

    /// The module's name of a variable.
    ///
    /// # Errors
    /// A variable that is not in the module, or a name that several have.
    pub fn symbol(&self, wanted: &str) -> Result<String, Lookup> {
        self.symbols.find(wanted)
    }

    /// All kernels, by the module's names.
    pub fn kernels(&self) -> &[String] {
        &self.kernels.all
    }

    /// All variables, by the module's names.
    pub fn symbols(&self) -> &[String] {
        &self.symbols.all
    }
}
