//! A second opinion: random programs, and an interpreter of one thread at a time that shares nothing with the device
//! but the PTX tree. Used by the differential test, and by the fuzz target of the same name.
#![allow(clippy::unwrap_used, dead_code, missing_docs, unreachable_pub)]

pub mod compute;
pub mod generate;
pub mod interpret;

use generate::{Program, SLOT, SLOTS};
use simt::{Arg, Chip, Device, Launch};

/// Runs the program that bytes make on both; says where they differ, with the program cut down to what is needed.
pub fn compare(bytes: &[u8]) -> Result<(), String> {
    let mut program = generate::program(bytes);
    let Err(first) = difference(&program) else { return Ok(()) };
    let mut message = first;
    // Lines that change nothing go, until none does; those that give each thread memory of its own stay.
    let mut changed = true;
    while changed {
        changed = false;
        for n in (program.head..program.text.lines().count()).rev() {
            let mut now: Vec<&str> = program.text.lines().collect();
            now.remove(n);
            let text = now.join("\n") + "\n";
            let less = Program { text, memory: program.memory.clone(), ..program };
            // Without some lines, it is no program any more; that is not what is looked for.
            let quiet = std::panic::AssertUnwindSafe(|| match difference(&less) {
                Err(message) if message.contains("one thread at a time") => Some(message),
                _ => None,
            });
            if let Ok(Some(still)) = std::panic::catch_unwind(quiet) {
                (program, message, changed) = (less, still, true);
            }
        }
    }
    let Program { text, grid, block, n, .. } = program;
    Err(format!("{message}\ngrid {grid}, block {block}, n {n}, of the bytes {bytes:?}\n{text}"))
}

/// Where the device and the interpreter differ on a program: as blocks run on all cores, and one after the other with
/// everything checked. (A thread that exits leaves words of shared memory unwritten that others read.)
fn difference(program: &Program) -> Result<(), String> {
    let wanted = interpret::run(program);
    for (deterministic, checks) in [(false, false), (true, !program.exits)] {
        let got = on_device(program, deterministic, checks)?;
        let Some(at) = got.iter().zip(&wanted).position(|(a, b)| a != b) else { continue };
        let at = at & !3;
        let word = |m: &[u8]| u32::from_le_bytes([m[at], m[at + 1], m[at + 2], m[at + 3]]);
        let place = match at.checked_sub(SLOTS) {
            Some(offset) => format!("thread {}, byte {} of its slot", offset / SLOT, offset % SLOT),
            None => format!("byte {at}"),
        };
        let (got, wanted) = (word(&got), word(&wanted));
        return Err(format!(
            "{place}: the device has {got:#010x}, one thread at a time gives {wanted:#010x}"
        ));
    }
    Ok(())
}

/// The bytes of a program's memory after it has run on the device.
fn on_device(program: &Program, deterministic: bool, checks: bool) -> Result<Vec<u8>, String> {
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    let options = device.options();
    (options.budget, options.deterministic) = (4_000_000, deterministic);
    options.checks = simt::Checks::all_or_none(checks);
    let module = device.load("random.ptx", &program.text).map_err(|e| format!("{e}\n{}", program.text))?;
    let buffer = device.allocate(program.memory.len() as u64).unwrap();
    device.write(buffer, 0, &program.memory).unwrap();
    let launch = Launch {
        module,
        kernel: "k",
        grid: [program.grid, 1, 1],
        block: [program.block, 1, 1],
        shared_bytes: 0,
        args: vec![Arg::Buffer(buffer, 0), Arg::Value(program.n.to_le_bytes().to_vec())],
        cluster: None,
        cooperative: false,
    };
    device.launch(&launch).map_err(|e| e.to_string())?;
    let mut got = vec![0; program.memory.len()];
    device.read(buffer, 0, &mut got).unwrap();
    Ok(got)
}
