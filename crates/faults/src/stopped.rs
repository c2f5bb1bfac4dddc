//! A fault, with what its words need of the program that it stopped.
//!
//! Enters: a fault, the PTX that ran, and what is known of its memory. Leaves: the types, filled in. This module must never know
//! how anything is worded.

use crate::code;
use device::{Arg, Fault, Place};
use names::Shared;

/// A fault, with what its words need of the program.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The fault.
    pub fault: Fault,
    /// Its instruction, such as `ld.global.f32`.
    pub instruction: String,
    /// Of an access outside a buffer or of a variable that a buffer is copied to: its elements.
    pub memory: Option<Memory>,
    /// Of an access to shared memory: the variable that it is in or nearest to.
    pub shared: Option<Shared>,
    /// Variables in shared memory, as far as the compiler reports them.
    pub variables: Vec<Shared>,
    /// The buffers that the kernel is given, by the names that it has for them.
    pub buffers: Vec<Called>,
}

/// A buffer, by a name of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Name in the source.
    pub name: String,
    /// Name of the buffer.
    pub buffer: String,
    /// Its elements, where they are known.
    pub memory: Option<Memory>,
}

/// A buffer's elements, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// Bytes of an element.
    pub element: u64,
    /// Its dimensions, the fastest last; none of a vector.
    pub axes: Vec<Axis>,
    /// Members of a struct that as many elements are; none where an element is a number.
    pub members: Vec<String>,
    /// Whether it is a variable of the program that is not an array, and so has no index.
    pub single: bool,
}

/// A dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Name, such as `row`.
    pub name: String,
    /// Length.
    pub len: u64,
    /// How much of it holds elements; the rest is padding.
    pub used: u64,
}

impl Memory {
    /// A vector of elements of that many bytes.
    pub fn of(name: &str, element: u64) -> Self {
        Memory { name: name.to_owned(), element, axes: vec![], members: vec![], single: false }
    }
}

impl Stopped {
    /// A fault of a program of this text, whose variables in shared memory are these. `memory` gives the elements of what the
    /// fault is nearest to, by its name as the source has it.
    pub fn new(
        fault: Fault,
        (ptx, variables): (&str, &[Shared]),
        memory: impl FnOnce(&Fault, &str) -> Option<Memory>,
        buffers: Vec<Called>,
    ) -> Self {
        let symbol = fault.nearest.as_ref().map(|near| &near.name);
        let shared = symbol.and_then(|symbol| variables.iter().find(|one| one.symbol == *symbol)).cloned();
        let memory = symbol.and_then(|symbol| memory(&fault, &names::readable(symbol)));
        let instruction = instruction(ptx, &fault.place).to_owned();
        Stopped { instruction, memory, shared, variables: variables.to_vec(), buffers, fault }
    }
}

/// The buffers that a launch gives a kernel from their first bytes on, by the names that the kernel's parameters have in the
/// text of its source. `buffer` gives a buffer's name, and its elements where they are known.
pub fn called<Id>(
    text: &str,
    kernel: &str,
    args: &[Arg<Id>],
    buffer: impl Fn(&Id) -> Option<(String, Option<Memory>)>,
) -> Vec<Called> {
    let named = code::named_parameters(text, kernel).into_iter().zip(args);
    let called = |(name, arg): (String, &Arg<Id>)| {
        let Arg::Buffer { buffer: id, offset: 0 } = arg else { return None };
        let (buffer, memory) = buffer(id)?;
        Some(Called { name, buffer, memory })
    };
    named.filter_map(called).collect()
}

/// The instruction at a place of a text, such as `ld.global.f32`.
pub fn instruction<'t>(ptx: &'t str, place: &Place) -> &'t str {
    let line = ptx.lines().nth((place.at.0 as usize).saturating_sub(1)).unwrap_or_default();
    line.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or_default()
}
