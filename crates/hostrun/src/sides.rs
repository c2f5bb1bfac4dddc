//! Both sides of a program, compiled.
//!
//! Enters: sources, files next to them, options. Leaves: the host's side as WebAssembly and the device's as PTX, or what is wrong. This
//! module must never know how either runs.

use cuda::host::Fault;
use cuda::source::Span;
use cuda::{Failure, Header, Input, Options, Output, host::Host, program::Program};
use runtime::{Site, api};

/// A program that is compiled.
pub struct Sides {
    /// The host's side.
    pub host: Host,
    /// The device's side.
    pub device: Output,
}

impl Sides {
    /// Place of a call of the library, or of an access of the program's own: the numbers of these come after those.
    pub(crate) fn place_of_call(&self, site: Site) -> Option<Span> {
        let at = (site.0 as usize).checked_sub(1)?;
        match self.host.calls.get(at) {
            Some(place) => Some(*place),
            None => self.host.faults.get(at - self.host.calls.len())?.1,
        }
    }

    /// The reads of the program's own, by the number that a fault gets: bytes of each, and its place as that of a call.
    pub(crate) fn reads(&self) -> Vec<Option<(u64, Site)>> {
        let place = |at: usize| Site((self.host.calls.len() + 1 + at) as u32);
        let faults = self.host.faults.iter().enumerate();
        faults
            .map(|(at, (fault, written))| match fault {
                Fault::Load(bytes) if written.is_some() => Some((*bytes, place(at))),
                _ => None,
            })
            .collect()
    }
}

/// Compiles a program of one file.
///
/// # Errors
/// What is wrong with the source, on either side.
pub fn compile(
    name: &str,
    text: &str,
    include: &dyn Fn(&str) -> Option<Header>,
    options: &Options,
) -> Result<Sides, Failure> {
    compile_files(&[Input { name, text, include }], options)
}

/// Compiles a program of one file or several, which are linked in their order.
///
/// # Errors
/// What is wrong with the sources, on either side, or with names that they have in common.
pub fn compile_files(inputs: &[Input<'_>], options: &Options) -> Result<Sides, Failure> {
    let Program { host, device } = cuda::program::compile(inputs, options).map_err(explained)?;
    Ok(Sides { host, device })
}

/// The same, where functions of CUDA's are named that the runtime does not have, with what to write instead.
fn explained(mut failure: Failure) -> Failure {
    for one in &mut failure.diagnostics {
        if let Some((name, why)) = one.unknown.as_deref().and_then(|name| Some((name, api::refusal(name)?))) {
            one.help = Some(format!("`{name}` is not supported: {why}"));
        }
    }
    failure
}
