//! What is known of a block that is stepped through ([`super::stepper`]), and what is found of it: numbers, no text.

use crate::Counters;
use crate::WARP;
use crate::exec::observers::notes::Noted;
use crate::hash::HashMap;
use crate::ir::{File, Named, Origin, Program, Register};
use crate::lanes::lanes;
use crate::memory::{SHARED_WINDOW, WINDOW};
use crate::step::{Doing, StepTo, Write};
use crate::trace::{AccessKind, Space};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// What a launch that is stepped through is given, and where it leaves what it finds.
pub(crate) struct Stepping<'a> {
    pub(crate) to: StepTo,
    /// The number of the block.
    pub(crate) block: u64,
    pub(crate) program: &'a Program,
    /// The names of the registers of each function.
    pub(crate) names: Vec<Vec<Named>>,
    /// For each entry of the kernel's listing a number that is the same for all of one line.
    pub(crate) lines: Vec<u32>,
    pub(in crate::exec) found: Mutex<Recorded>,
}

impl<'a> Stepping<'a> {
    pub(crate) fn new(
        to: StepTo,
        block: u64,
        program: &'a Program,
        names: Vec<Vec<Named>>,
        lines: Vec<u32>,
    ) -> Self {
        Stepping { to, block, program, names, lines, found: Mutex::default() }
    }

    /// What was found; then nothing is left.
    pub(crate) fn take_found(&self) -> Recorded {
        std::mem::take(&mut *self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What was found: numbers, no text.
#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) state: Option<Box<RawState>>,
    pub(crate) executed: u64,
    pub(crate) ended: bool,
    /// Of the launch so far.
    pub(crate) counters: Counters,
    /// The launch was left because nothing more was asked for.
    pub(crate) left: bool,
    pub(crate) path: Vec<RawStretch>,
    pub(crate) path_left_out: u64,
}

/// As [`crate::step::Stretch`].
pub(crate) struct RawStretch {
    pub(crate) at: u64,
    pub(crate) warp: u32,
    /// One of [`Stepping::lines`].
    pub(crate) line: u32,
    pub(crate) active: u32,
}

/// As [`crate::step::State`]; places are numbers of the kernel's listing.
pub(crate) struct RawState {
    pub(crate) at: u64,
    pub(crate) warp: u32,
    pub(crate) listed: u32,
    pub(crate) active: u32,
    pub(crate) executed: u32,
    /// The function, and by their places among its names the values of registers and when each lane wrote them.
    pub(crate) function: u32,
    pub(crate) registers: Vec<(usize, [u64; WARP], Steps)>,
    /// The calls that the lanes are in, innermost first.
    pub(crate) callers: Box<[Origin]>,
    pub(crate) shared: Vec<u8>,
    pub(crate) shared_written: Vec<bool>,
    pub(crate) warps: Vec<RawWarp>,
    pub(crate) events: Vec<(u64, Noted)>,
    pub(crate) events_left_out: u64,
}

/// As [`crate::step::WarpState`].
pub(crate) struct RawWarp {
    pub(crate) lanes: u32,
    pub(crate) executed: u64,
    pub(crate) paths: Vec<(u32, u32, Doing)>,
    /// Where, who is expected, who has arrived.
    pub(crate) meetings: Vec<(u32, u32, u32)>,
}

/// For each lane what wrote a register last.
pub(crate) type Steps = [Option<Write>; WARP];

/// An instruction of a chosen warp that was executed.
#[derive(Clone, Copy)]
pub(in crate::exec) struct ExecutedStep {
    pub(in crate::exec) at: u64,
    pub(in crate::exec) warp: usize,
    pub(in crate::exec) frame: u32,
    pub(in crate::exec) listed: u32,
    pub(in crate::exec) active: u32,
    pub(in crate::exec) executed: u32,
}

/// What a worker knows of the block that is stepped through.
#[derive(Default)]
pub(in crate::exec) struct Stepper {
    pub(in crate::exec) found: Recorded,
    /// Lanes that each warp of the block began with, and instructions that it has executed.
    pub(in crate::exec) began: Vec<u32>,
    pub(in crate::exec) executed: Vec<u64>,
    /// For each function, registers by their places, and those that have a value early by their instructions.
    pub(in crate::exec) by_register: Vec<HashMap<(File, Register), Vec<usize>>>,
    pub(in crate::exec) by_instruction: Vec<HashMap<u32, Vec<usize>>>,
    /// For each frame of a warp which step wrote each of its function's registers.
    pub(in crate::exec) written: HashMap<(usize, u32), Vec<Steps>>,
    /// The last instruction of a basic block: what it does, it does afterwards.
    pub(in crate::exec) pending: Option<ExecutedStep>,
    /// The last basic block of each warp ended with a call.
    pub(in crate::exec) called: Vec<bool>,
    pub(in crate::exec) shared_written: Vec<bool>,
    pub(in crate::exec) events: VecDeque<(u64, Noted)>,
    pub(in crate::exec) events_left_out: u64,
}

impl Stepper {
    pub(in crate::exec) fn new(stepping: &Stepping<'_>) -> Self {
        let mut stepper = Stepper::default();
        for names in &stepping.names {
            let (mut registers, mut instructions) = (HashMap::default(), HashMap::default());
            for (n, named) in names.iter().enumerate() {
                match named.early {
                    Some(listed) => instructions.entry(listed).or_insert_with(Vec::new).push(n),
                    None => registers.entry((named.file, named.register)).or_insert_with(Vec::new).push(n),
                }
            }
            stepper.by_register.push(registers);
            stepper.by_instruction.push(instructions);
        }
        stepper
    }
}

/// Marks the bytes of shared memory that an access writes.
pub(in crate::exec) fn note_shared(written: &mut [bool], noted: &Noted) {
    let base = match noted.space {
        Some(Space::Shared) => 0,
        None => SHARED_WINDOW,
        Some(Space::Global | Space::Constant | Space::Local | Space::Texture) => return,
    };
    if noted.kind == AccessKind::Load {
        return;
    }
    for lane in lanes(noted.mask) {
        let at = noted.addresses[lane % WARP].wrapping_sub(base);
        if at < WINDOW {
            let from = (at as usize).min(written.len());
            let end = (at as usize).saturating_add(noted.bytes as usize).min(written.len());
            written[from..end].fill(true);
        }
    }
}
