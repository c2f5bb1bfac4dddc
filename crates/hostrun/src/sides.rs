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

/// An access of the program's own, as an engine shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A read of that number of bytes.
    Load(u64, Site),
    /// The first or the last of the bytes that a copy reads.
    Range(Option<Site>),
    /// One that is not looked at.
    Other,
    /// Never one that is only shown.
    Fault,
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

    /// The program's own accesses, by the numbers that faults get, with their places as those of calls.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        let place = |at: usize| Site((self.host.calls.len() + 1 + at) as u32);
        let shown = |(at, (fault, written)): (usize, &(Fault, Option<Span>))| match fault {
            Fault::Range => Shown::Range(written.map(|_| place(at))),
            // Whether all of these bytes are memory is looked at before.
            Fault::Load(0) | Fault::Store(0) => Shown::Fault,
            Fault::Load(bytes) if written.is_some() => Shown::Load(*bytes, place(at)),
            _ => Shown::Other,
        };
        self.host.faults.iter().enumerate().map(shown).collect()
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
