//! Both sides of a program, compiled.
//!
//! Enters: a source, files next to it, options. Leaves: the host's side as WebAssembly and the device's as PTX, or what is wrong. The
//! host's side comes first: it says which instances of kernels there are. This module must never know how either runs.

use cuda::source::Span;
use cuda::{Failure, Header, Input, Options, Output, host::Host};
use runtime::Site;

/// A program that is compiled.
pub struct Sides {
    /// The host's side.
    pub host: Host,
    /// The device's side.
    pub device: Output,
}

impl Sides {
    /// Place of a call of the library.
    pub(crate) fn place_of_call(&self, site: Site) -> Option<Span> {
        self.host.calls.get((site.0 as usize).checked_sub(1)?).copied()
    }
}

/// Compiles a program.
///
/// # Errors
/// What is wrong with the source, on either side.
pub fn compile(
    name: &str,
    text: &str,
    include: &dyn Fn(&str) -> Option<Header>,
    options: &Options,
) -> Result<Sides, Failure> {
    let input = Input { name, text, include };
    let host = cuda::host::compile(&input, options)?;
    let instances = host.kernels.iter().map(|kernel| kernel.name.clone());
    let instances = instances.filter(|name| name.contains('<')).collect();
    let device = cuda::compile(&input, &Options { instances, ..options.clone() })?;
    Ok(Sides { host, device })
}
