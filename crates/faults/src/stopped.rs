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
        let mut variables = variables.to_vec();
        variables.extend(dynamic(&fault, ptx, &variables));
        let symbol = fault.nearest.as_ref().map(|near| &near.name);
        let shared = symbol.and_then(|symbol| variables.iter().find(|one| one.symbol == *symbol)).cloned();
        let memory = symbol.and_then(|symbol| memory(&fault, &names::readable(symbol)));
        let instruction = instruction(ptx, &fault.place).to_owned();
        Stopped { instruction, memory, shared, variables, buffers, fault }
    }
}

/// The dynamic array of a fault's kernel, if it has only one, with as many elements as the launch has given it: the device has
/// one name for all of them.
fn dynamic(fault: &Fault, ptx: &str, variables: &[Shared]) -> Option<Shared> {
    let near =
        fault.seen_from.iter().chain(&fault.nearest).find(|near| near.name == device::DYNAMIC_SHARED)?;
    let all = || variables.iter().filter(|one| one.is_dynamic());
    let named = |text: &str| -> Vec<&Shared> {
        let mut found: Vec<&Shared> = vec![];
        for one in all().filter(|one| has_word(text, &one.symbol)) {
            if !found.iter().any(|known| known.symbol == one.symbol) {
                found.push(one);
            }
        }
        found
    };
    // What the kernel calls may be the one that names it.
    let own = named(body(ptx, &fault.kernel));
    let found = if own.is_empty() { named(ptx) } else { own };
    let [only] = found[..] else { return None };
    // Two kernels may each declare an array of that name, and of other elements.
    if all()
        .any(|one| one.symbol == only.symbol && (one.element, &one.lengths) != (only.element, &only.lengths))
    {
        return None;
    }
    let count = near.bytes.checked_div(only.row())?;
    let lengths = std::iter::once(count).chain(only.lengths.iter().skip(1).copied()).collect();
    Some(Shared { symbol: near.name.clone(), lengths, ..only.clone() })
}

/// The text of a kernel, up to the next function.
fn body<'t>(ptx: &'t str, kernel: &str) -> &'t str {
    let begins = |at: &usize| ptx[*at..].split([' ', '(', '\n']).nth(1) == Some(kernel);
    let Some(start) = ptx.match_indices(".entry ").map(|(at, _)| at).find(begins) else { return "" };
    let rest = &ptx[start + 1..];
    let end = [".entry ", ".func "].iter().filter_map(|next| rest.find(next)).min();
    &rest[..end.unwrap_or(rest.len())]
}

/// Whether a text has a name as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '%');
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
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
