//! Launches on the embedded device, and what two of them say.
//!
//! Enters: PTX, a kernel, a plan. Leaves: contents of the buffers, or a fault; and a verdict on two of these.

use std::time::Duration;

use anyhow::Result;
use device::{Buffer, Device, Embedded, Launch};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

use crate::arguments::{Contents, Parameter, Plan, argument};

/// Bytes of the buffer that each pointer points to.
const BUFFER: usize = 1 << 20;
/// Instructions that a launch may execute.
const BUDGET: u64 = 1 << 22;

/// What a launch left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) buffers: Vec<Vec<u8>>,
    /// Whether any buffer changed.
    pub(crate) wrote: bool,
}

/// A run, or the fault's kind.
pub(crate) type Launched = Result<Run, String>;

/// Words for a launch.
pub(crate) trait Outcome {
    fn words(&self) -> &str;
}

impl Outcome for Launched {
    fn words(&self) -> &str {
        self.as_ref().err().map_or("ran", String::as_str)
    }
}

fn contents(of: Contents, seed: u64) -> Vec<u8> {
    let mut rng = Pcg32::seed_from_u64(seed);
    (0..BUFFER / 4)
        .flat_map(|_| match of {
            Contents::Integers => (rng.next_u32() % 48).to_le_bytes(),
            Contents::Floats => (0.5 + rng.next_u32() as f32 / u32::MAX as f32).to_le_bytes(),
        })
        .collect()
}

/// Bytes of all buffers after a launch, or the fault's kind.
pub(crate) fn launch(ptx: &str, kernel: &str, parameters: &[Parameter], plan: &Plan) -> Result<Launched> {
    let mut device = Embedded::new("h200")?;
    device.set_time_limit(Some(Duration::from_secs(2)));
    device.options().budget = BUDGET;
    let module = device.load("suite.ptx", ptx)?;
    let mut buffers: Vec<(Buffer, Vec<u8>)> = vec![];
    let mut new = || -> Result<Buffer> {
        let bytes = contents(plan.contents, buffers.len() as u64);
        let buffer = device.allocate(BUFFER as u64)?;
        device.write(buffer, 0, &bytes)?;
        buffers.push((buffer, bytes));
        Ok(buffer)
    };
    let arguments = parameters.iter().map(|one| argument(one, plan, &mut new)).collect::<Result<Vec<_>>>()?;
    let mut run = Launch::new(module, kernel, plan.grid, plan.block, arguments);
    run.shared_bytes = 16 << 10;
    if let Err(error) = device.launch(&run) {
        let words = error.to_string();
        return Ok(Err(words.split([':', ';', '\n']).next().unwrap_or_default().to_owned()));
    }
    let mut found = Run { buffers: vec![], wrote: false };
    for (buffer, before) in buffers {
        let mut bytes = vec![0; BUFFER];
        device.read(buffer, 0, &mut bytes)?;
        found.wrote |= bytes != before;
        found.buffers.push(bytes);
    }
    Ok(Ok(found))
}

/// What two launches of a kernel say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    SameBits,
    Close,
    BothFault,
    /// One of them was stopped for its time.
    TooLong,
    /// The kernel is not in our PTX.
    Missing,
    Differs,
}

/// Compares; `halves` says that the kernel has numbers of 16 bits.
pub(crate) fn compare(theirs: &Launched, ours: &Launched, halves: bool) -> Verdict {
    let late =
        |one: &Launched| matches!(one, Err(words) if words.contains("budget") || words.contains("limit"));
    match (theirs, ours) {
        (Ok(a), Ok(b)) if a.buffers == b.buffers => Verdict::SameBits,
        (Ok(a), Ok(b)) if a.buffers.iter().zip(&b.buffers).all(|(a, b)| close(a, b, halves)) => {
            Verdict::Close
        }
        _ if late(theirs) || late(ours) => Verdict::TooLong,
        (Err(_), Err(_)) => Verdict::BothFault,
        (Ok(_) | Err(_), Ok(_) | Err(_)) => Verdict::Differs,
    }
}

/// Whether bytes are those of floats that differ by little. Integers are none: as floats small ones are next to nothing.
/// Sums of atomics come in any order, so that a number of 16 bits may be rounded to the next.
fn close(a: &[u8], b: &[u8], halves: bool) -> bool {
    let within = |a: f64, b: f64, least: f64, share: f64| {
        let size = a.abs().max(b.abs());
        (size >= least && (a - b).abs() <= share * size.max(1e-2)) || (a.is_nan() && b.is_nan())
    };
    let near = |a: f64, b: f64, least: f64| within(a, b, least, 1e-4);
    let brain = |bytes: &[u8]| f64::from(f32::from_le_bytes([0, 0, bytes[0], bytes[1]]));
    let half = |bytes: &[u8]| {
        let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
        let size = f64::from(bits & 0x3ff | 0x400) * f64::from((bits >> 10 & 31) as f32 - 25.0).exp2();
        if bits >> 15 == 1 { -size } else { size }
    };
    let short = |a: &[u8], b: &[u8]| {
        a == b || within(brain(a), brain(b), 1e-30, 1e-2) || within(half(a), half(b), 1e-4, 2e-3)
    };
    let single = |bytes: &[u8]| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let double = |bytes: &[u8]| {
        let mut all = [0; 8];
        all.copy_from_slice(bytes);
        f64::from_le_bytes(all)
    };
    let word = |a: &[u8], b: &[u8]| {
        a == b
            || near(single(a), single(b), 1e-30)
            || (halves && short(&a[..2], &b[..2]) && short(&a[2..], &b[2..]))
    };
    a.chunks_exact(8).zip(b.chunks_exact(8)).all(|(a, b)| {
        a == b || near(double(a), double(b), 1e-200) || (word(&a[..4], &b[..4]) && word(&a[4..], &b[4..]))
    })
}
