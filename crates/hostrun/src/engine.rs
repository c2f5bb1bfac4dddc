//! An engine of WebAssembly, as a run needs it.
//!
//! Enters: the host's side of a program. Leaves: an instance of it. This module must never know what is done with that.

use crate::calls::Calls;
use crate::instance::Instance;
use cuda::host::Host;
use std::rc::Rc;

/// What executes WebAssembly: an interpreter, or a browser.
pub trait Engine {
    /// Loads the host's side of a program. What it imports from `env` is answered by [`Calls`], apart from `fma` and `fmaf`, and
    /// `fault.fault` is [`Calls::fault`], which does not return to the program.
    ///
    /// # Errors
    /// Why the engine cannot execute it, in words.
    fn load(&self, host: &Host, calls: Rc<Calls>) -> Result<Box<dyn Instance>, String>;
}
