//! A kernel's fault for a reader of the program.
//!
//! Enters: a fault, what was compiled, and where the kernel was launched. Leaves: a message in the words that all of the workbook has
//! for faults, at the kernel's own code. This module must never know where it is shown.

use crate::sides::Sides;
use cuda::diagnostic::Diagnostic;
use cuda::source::Span;
use device::{Arg, Fault, Place};
use faults::{Called, Memory, Stopped};

/// The message. `arguments` are the names that the device has for the memory that the kernel's parameters point to.
pub(crate) fn message(
    fault: &Fault,
    arguments: &[Option<String>],
    sides: &Sides,
    launched: Span,
) -> Diagnostic {
    let buffers = called(fault, arguments, sides);
    let known = |fault: &Fault, name: &str| {
        let of = buffers.iter().find(|one| one.buffer == name)?;
        Some(Memory::of(&of.name, fault.nearest.as_ref().map_or(1, |near| near.width.into())))
    };
    let stopped =
        Stopped::new(fault.clone(), (&sides.device.ptx, &sides.device.shared), known, buffers.clone());
    let text = |place: &Place| made_from(place, sides).map(|span| sides.device.sources.text(span).to_owned());
    let sentence = faults::sentence(&stopped, &text);
    let code = code(&fault.place, sides, faults::stores(&stopped.instruction));
    let mut shown = Diagnostic::error(fault.kind.name(), code.unwrap_or(launched), sentence);
    shown = shown.label(faults::thread(fault));
    if let Some(help) = faults::help(fault) {
        shown = shown.help(help);
    }
    let other = fault.other.as_ref().and_then(|other| self::code(&other.place, sides, true));
    if let Some(other) = other.filter(|other| Some(*other) != code) {
        shown = shown.related(other, "the other access is here");
    }
    if code.is_some() && launched != Span::NOWHERE {
        shown = shown.related(launched, "the kernel was launched here");
    }
    shown
}

/// The kernel's parameters that point to memory which the device has a name for.
fn called(fault: &Fault, arguments: &[Option<String>], sides: &Sides) -> Vec<Called> {
    let arguments: Vec<Arg<String>> = arguments
        .iter()
        .map(|name| match name {
            Some(name) => Arg::Buffer { buffer: name.clone(), offset: 0 },
            None => Arg::Bytes(vec![]),
        })
        .collect();
    let own = sides.device.sources.files().iter().filter(|file| !file.ours);
    let in_file = |text| faults::called(text, &fault.kernel, &arguments, |name| Some((name.clone(), None)));
    own.map(|file| in_file(&file.text)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The code that an instruction was made from, among the files of the device's side.
fn made_from(place: &Place, sides: &Sides) -> Option<Span> {
    let (file, line) = place.counted_line()?;
    sides.device.origins.span(place.at.0).filter(|span| {
        let at = sides.device.sources.position(span.lo);
        span.hi > span.lo && at.is_some_and(|at| at.file.name == *file && at.line == *line)
    })
}

/// The same among the files of the host's side, to which messages belong: of an assignment its target, if the instruction
/// `stores`, and otherwise the operand that is read; the whole line where no more is known.
fn code(place: &Place, sides: &Sides, stores: bool) -> Option<Span> {
    let (file, line) = place.counted_line()?;
    let own = sides.host.sources.files().iter().find(|one| one.name == *file && !one.ours)?;
    let bytes = |part: &str, text: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    if let Some(span) = made_from(place, sides) {
        let at = sides.device.sources.position(span.lo)?;
        let text = sides.device.sources.text(span);
        let part = faults::narrowed(text, stores);
        let lo = own.start + (span.lo - at.file.start) + bytes(part, text) as u32;
        return Some(Span { lo, hi: lo + part.len() as u32, expansion: 0 });
    }
    let text = own.text.split('\n').nth((*line as usize).checked_sub(1)?)?;
    let part = text.trim();
    let lo = own.start + bytes(part, &own.text) as u32;
    Some(Span { lo, hi: lo + part.len() as u32, expansion: 0 })
}
