//! A kernel's fault in the words of its source: one sentence, wherever it is shown.
//!
//! Enters: a fault of the embedded device, the PTX that ran, and what is known of its source and of its buffers. Leaves: a
//! sentence, whose subject is the code that made the access, with the thread for a label next to it. `launch`, the labs, the
//! workbook and the pages say this sentence and no other. This crate must never know where it is shown, or what a kernel is for.

mod code;
mod stopped;
mod words;

pub use code::{narrowed, parameters};
pub use stopped::{Axis, Called, Memory, Stopped, called, instruction};
pub use words::{Form, element, places, position, stores};

use device::{Detail, Fault, FaultKind, Place};
use names::Origin;
use words::Threads;

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
    let other = squeezed(narrowed(&other, words::other_stores(fault)));
    let special = match fault.kind {
        FaultKind::OutOfBoundsGlobal | FaultKind::OutOfBoundsConstant => words::beyond(stopped, &made),
        // No array is overrun where a block does not exist.
        FaultKind::OutOfBoundsShared if is_of_missing_block(fault) => None,
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
        let said = Threads::of(fault);
        let reported = words::of_shared(stopped, &said, (&made, &other))
            .or_else(|| words::of_buffer(stopped, &said))
            .or_else(|| words::of_access(stopped, &made))
            .unwrap_or_else(|| words::of_device(fault, &said));
        names::readable(&reported).into_owned()
    })
}

/// Whether a fault is about the shared memory of a block that its cluster does not have.
fn is_of_missing_block(fault: &Fault) -> bool {
    matches!(&fault.detail, Some(Detail::Access(access)) if access.without_block)
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
    Form::of_fault(fault).thread(fault.thread, fault.block)
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

#[cfg(test)]
mod tests {
    use super::*;
    use device::{Conflict, Other, RaceAccess};

    fn place(file: &str, line: u32, inlined_at: &[u32]) -> Place {
        let inlined_at = inlined_at.iter().map(|line| (file.to_owned(), *line)).collect();
        Place { source: Some((file.to_owned(), line)), inlined_at, ..Place::default() }
    }

    fn race(place: Place, other: Other) -> Fault {
        let conflict = Conflict {
            access: RaceAccess::Atomic,
            other: RaceAccess::Write,
            memory: "shared memory".to_owned(),
            shared: true,
            near: String::new(),
            missing: "a barrier is missing".to_owned(),
        };
        Fault {
            kind: FaultKind::SharedRace,
            message: "not read".to_owned(),
            kernel: "k".to_owned(),
            block: [2, 0, 0],
            thread: [1, 0, 0],
            place,
            address: None,
            nearest: None,
            seen_from: vec![],
            other: Some(other),
            detail: Some(Detail::Conflict(conflict)),
            proven: false,
            of_launch: false,
            printed: String::new(),
        }
    }

    #[test]
    fn all_indices_of_a_sentence_have_as_many_numbers_as_one_of_them_needs() {
        let reported = |own: Place, other: Other| {
            let (fault, code) = (race(own, other), |_: &Place| None);
            let thread = thread(&fault);
            (sentence(&Stopped::new(fault, ("", &[]), |_, _| None, vec![]), &code), thread)
        };
        let other = |thread, block, place| Other { thread, block, place };
        assert_eq!(
            reported(place("k.cu", 3, &[]), other([4, 0, 0], None, place("k.cu", 9, &[90]))),
            (
                "thread 1 of block 2 atomically changes shared memory that thread 4 wrote in line 9, inlined at \
                 k.cu:90; a barrier is missing"
                    .to_owned(),
                "thread 1 of block 2".to_owned()
            )
        );
        assert_eq!(
            reported(place("k.cu", 3, &[]), other([4, 0, 0], Some([0, 5, 0]), place("f.cu", 9, &[]))),
            (
                "thread (1, 0) of block (2, 0) atomically changes shared memory that thread (4, 0) of block (0, 5) \
                 wrote at f.cu:9; a barrier is missing"
                    .to_owned(),
                "thread (1, 0) of block (2, 0)".to_owned()
            )
        );
    }
}
