//! A kernel's fault in the words of its source: one sentence, wherever it is shown.
//!
//! Enters: a fault of the embedded device, the PTX that ran, and what is known of its source and of its buffers. Leaves: a
//! sentence, whose subject is the code that made the access, with the thread for a label next to it. `launch`, the labs, the
//! workbook and the pages say this sentence and no other. This crate must never know where it is shown, or what a kernel is for.

mod code;
mod message;
mod stopped;
mod words;

pub use code::{narrowed, parameters};
pub use stopped::{Axis, Called, Memory, Stopped, called, instruction};
pub use words::{Form, element, places, position, stores};

use device::{Fault, FaultKind, Place};
use names::Origin;
use std::ops::Range;

/// The header whose barrier of a whole grid traps where it cannot be.
const GROUPS: &str = "<cooperative_groups.h>";

/// The code of the source that an instruction was made from, where that is known.
pub type Code<'a> = dyn Fn(&Place) -> Option<String> + 'a;

/// What a fault is, in a sentence. What a thread does to another's memory begins with the thread.
pub fn sentence(stopped: &Stopped, code: &Code<'_>) -> String {
    let fault = &stopped.fault;
    let made = code(&fault.place).unwrap_or_default();
    let made = squeezed(narrowed(&made, stores(&stopped.instruction)));
    let other = fault.other.as_ref().and_then(|other| code(&other.place)).unwrap_or_default();
    // What the other did, its words say: of a store what is assigned to.
    let stored = message::other_stores(&fault.message);
    let other = squeezed(narrowed(&other, stored));
    let special = match fault.kind {
        FaultKind::OutOfBoundsGlobal | FaultKind::OutOfBoundsConstant => words::beyond(stopped, &made),
        // No array is overrun where a block does not exist.
        FaultKind::OutOfBoundsShared if message::is_of_missing_block(&fault.message) => None,
        FaultKind::OutOfBoundsShared => {
            let overrun = words::overrun(fault, &stopped.variables, &made);
            let verb = words::verb(&stopped.instruction);
            let overrun = overrun.map(|(outside, end)| format!("`{outside}` is {verb}, and {end}"));
            overrun
                .or_else(|| words::beyond(stopped, &made))
                .or_else(|| words::without_shared(stopped, &made))
        }
        FaultKind::InfiniteLoop => Some(words::endless(fault)),
        _ => None,
    };
    special.unwrap_or_else(|| {
        let reported = words::of_shared(stopped, &fault.message, (&made, &other))
            .or_else(|| words::of_buffer(stopped, &fault.message))
            .or_else(|| words::of_access(stopped, &made))
            .unwrap_or_else(|| fault.message.clone());
        in_students_words(&names::readable(&reported), fault)
    })
}

/// An access that races with another.
#[derive(Clone, Copy, Debug)]
pub struct Raced<'a> {
    /// The thread's index in its block.
    pub thread: [u32; 3],
    /// The block's index.
    pub block: [u32; 3],
    /// Where it is made.
    pub place: &'a Place,
    /// Whether it writes.
    pub writes: bool,
}

/// A race in global memory that was found otherwise than as a fault, in the words that the fault has. `element` is what both
/// access.
pub fn race(element: &str, later: Raced<'_>, earlier: Raced<'_>) -> String {
    let form = Form::of([later.thread, later.block, earlier.thread, earlier.block]);
    let together = later.block == earlier.block;
    let who = form.thread(later.thread, later.block);
    let other = match together {
        true => format!("thread {}", form.index(earlier.thread)),
        false => form.thread(earlier.thread, earlier.block),
    };
    let at = match (earlier.place.written_line(), later.place.written_line()) {
        (Some((file, line)), Some((own, _))) if file == own => format!(" in line {line}"),
        (Some((file, line)), _) => format!(" at {file}:{line}"),
        (None, _) => String::new(),
    };
    let does = if later.writes { "writes" } else { "reads" };
    let did = if earlier.writes { "wrote" } else { "read" };
    let missing = if together { device::UNORDERED_THREADS } else { device::UNORDERED_BLOCKS };
    format!("{who} {does} `{element}`, which {other} {did}{at}; {missing}")
}

/// The thread that a fault is of: `thread 3 of block 0`.
pub fn thread(fault: &Fault) -> String {
    let all = indices(&fault.message).map(|(_, index)| index).chain([fault.thread, fault.block]);
    Form::of(all.chain(fault.other.iter().map(|other| other.thread))).thread(fault.thread, fault.block)
}

/// What to know of a fault in addition to its sentence.
pub fn help(fault: &Fault) -> Option<&'static str> {
    let waits = fault.kind == FaultKind::Trap;
    let groups = fault.place.source.as_ref().is_some_and(|(file, _)| file == GROUPS);
    (waits && groups).then_some(
        "the blocks of a grid can wait for each other only in a cooperative launch, and this launch is not cooperative",
    )
}

/// Replaces the device's own message with the sentence. `origins` is the code that lines of the PTX were made from.
pub fn tell(mut stopped: Stopped, origins: &[Origin]) -> Fault {
    let code = |place: &Place| {
        let (file, line) = place.written_line()?;
        names::code(origins, place.at.0, (file, *line)).map(str::to_owned)
    };
    stopped.fault.message = sentence(&stopped, &code);
    let variable = stopped.shared.as_ref();
    stopped.fault.name_element(|_, offset| Some(variable?.at(offset)));
    stopped.fault
}

/// Code on one line.
fn squeezed(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A fault's words with threads written in its form, and lines of its own file without the file's name.
fn in_students_words(message: &str, fault: &Fault) -> String {
    let all = indices(message).map(|(_, index)| index).chain([fault.thread, fault.block]);
    let form = Form::of(all);
    let mut words = with_indices(message, form);
    if let Some((file, line)) = fault.other.as_ref().and_then(|other| other.place.written_line())
        && fault.place.written_line().is_some_and(|(own, _)| own == file)
    {
        words = words.replace(&format!(" at {file}:{line}"), &format!(" in line {line}"));
    }
    // What a thread does to another's memory begins with the thread.
    let does = ["reads ", "writes ", "atomically "].iter().any(|verb| words.starts_with(verb));
    if fault.other.is_some() && does {
        format!("{} {words}", form.thread(fault.thread, fault.block))
    } else {
        words
    }
}

/// Where words have the index of a thread or of a block, and that index.
fn indices(words: &str) -> impl Iterator<Item = (Range<usize>, [u32; 3])> {
    let starts = words.match_indices('(').map(|(at, _)| at);
    let named = |at: &usize| words[..*at].ends_with("thread ") || words[..*at].ends_with("block ");
    starts.filter(named).filter_map(|at| {
        let end = at + words[at..].find(')')?;
        let numbers: Option<Vec<u32>> =
            words[at + 1..end].split(',').map(|number| number.trim().parse().ok()).collect();
        Some((at..end + 1, numbers?.try_into().ok()?))
    })
}

/// Words with the index of each thread and block in a form.
fn with_indices(message: &str, form: Form) -> String {
    let (mut words, mut from) = (String::new(), 0);
    for (at, index) in indices(message) {
        words += &message[from..at.start];
        words += &form.index(index);
        from = at.end;
    }
    words + &message[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_as_many_numbers_as_matter() {
        let reported = |message: &str, all: &[[u32; 3]]| with_indices(message, Form::of(all.iter().copied()));
        let message = "reads what thread (1,0,0) copies to at a.cu:34; wait";
        assert_eq!(reported(message, &[[1, 0, 0]]), "reads what thread 1 copies to at a.cu:34; wait");
        assert_eq!(
            reported("thread (1,2,0) of block (2,0,0)", &[[1, 2, 0]]),
            "thread (1, 2) of block (2, 0)"
        );
        assert_eq!(reported("f(1,2,3) of thread (x)", &[]), "f(1,2,3) of thread (x)");
        assert_eq!(reported("thread (1,0,0) of", &[[0, 0, 0], [0, 2, 0]]), "thread (1, 0) of");
    }
}
