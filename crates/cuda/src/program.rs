//! Whole programs: both sides, of one file or several.
//!
//! Enters: sources and options. Leaves: the host's side as WebAssembly and the device's as PTX, with kernels and variables of the
//! device by the names that they have there. The host's side comes first: it says which instances of kernels there are. This module
//! must never know how either side runs.

use crate::compile::{self, Source};
use crate::host::{self, Host};
use crate::options::{Failure, Input, Language, Options, Output};
use crate::side::{Side, Unit};

/// A program that is compiled.
#[derive(Clone, Debug)]
pub struct Program {
    /// The host's side.
    pub host: Host,
    /// The device's side.
    pub device: Output,
}

/// Compiles a program of one file or several, which are linked in their order.
///
/// # Errors
///
/// What is wrong with the sources on either side, or in them and not known to this compiler; names that none defines, or two.
pub fn compile(inputs: &[Input<'_>], options: &Options) -> Result<Program, Failure> {
    let mut host = host::of_units(inputs, options)?;
    let asked = |unit: usize| -> Vec<String> {
        let own = host.kernels.iter().filter(|kernel| kernel.unit == unit);
        own.map(|kernel| kernel.name.clone()).filter(|name| name.contains('<')).collect()
    };
    let instances: Vec<Vec<String>> = (0..inputs.len()).map(asked).collect();
    // C and C++ are the host's alone.
    let on_device: Vec<usize> =
        (0..inputs.len()).filter(|at| options.language_of(inputs[*at].name) == Language::Cuda).collect();
    let sources: Vec<Source<'_>> =
        on_device.iter().map(|at| Source { input: inputs[*at], instances: &instances[*at] }).collect();
    let unit = Unit {
        side: Side::Device,
        program: true,
        others: inputs.len() > 1,
        relocatable: options.relocatable,
        language: Language::Cuda,
    };
    let (device, symbols) = compile::of_units(&sources, options, unit, &mut compile::unwatched)?;
    let name = |unit: usize, symbol: &mut String| {
        let unit = on_device.iter().position(|at| *at == unit);
        let found = unit.and_then(|unit| symbols.get(unit)?.get(symbol));
        found.inspect(|found| symbol.clone_from(found)).is_some()
    };
    // What a unit's device code has not is none of another's by the same name.
    let several = inputs.len() > 1;
    host.kernels.retain_mut(|one| name(one.unit, &mut one.symbol) || !several);
    host.symbols.retain_mut(|one| name(one.unit, &mut one.symbol) || !several);
    Ok(Program { host, device })
}
