//! No text makes the device panic: lab kernels with pieces taken out, put in and exchanged.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use simt::{Arg, Chip, Device, Launch, Program};

const SEEDS: [&str; 3] = [
    include_str!("../../../kernels/ch5-5/stencil.ptx"),
    include_str!("../../../kernels/ch5-5/chase.ptx"),
    include_str!("truth/patterns.ptx"),
];

/// Pieces that PTX is made of, right and wrong.
const PIECES: [&str; 24] = [
    "%r1",
    "%rd1",
    "%p1",
    "%f1",
    ";",
    ",",
    "{",
    "}",
    "[",
    "]",
    "0",
    "-1",
    "4294967296",
    "0f7FC00000",
    ".v4",
    ".u8",
    ".s64",
    "ret;",
    "bra $L__BB0_2;",
    "bar.sync 0;",
    "@!%p1",
    "_",
    "\"",
    "\u{e9}",
];

fn broken() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6usize);
    (0..SEEDS.len(), prop::collection::vec(edit, 1..6)).prop_map(|(seed, edits)| {
        let mut lines: Vec<String> = SEEDS[seed].lines().map(str::to_owned).collect();
        for (at, with, kind) in edits {
            let n = at.index(lines.len());
            let piece = PIECES[with.index(PIECES.len())];
            match kind {
                0 => drop(lines.remove(n)),
                1 => lines.swap(n, with.index(SEEDS[seed].lines().count()).min(n)),
                2 => lines[n].push_str(piece),
                3 => {
                    let cut = with.index(lines[n].len() + 1);
                    lines[n].truncate(cut);
                }
                _ => {
                    let words: Vec<&str> = lines[n].split_inclusive([' ', ',', '\t', '.']).collect();
                    let w = with.index(words.len().max(1));
                    let new: String = words
                        .iter()
                        .enumerate()
                        .map(|(i, word)| if i == w { piece } else { *word })
                        .collect();
                    lines[n] = new;
                }
            }
            if lines.is_empty() {
                lines.push(String::new());
            }
        }
        lines.join("\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_decodes_or_is_refused_with_a_place(text in broken()) {
        if let Err(error) = Program::decode("x.ptx", &text) {
            prop_assert!(error.to_string().starts_with("x.ptx:"), "{}", error);
        }
    }

    #[test]
    fn any_bytes_are_refused(text in "\\PC{0,200}") {
        prop_assert!(Program::decode("x.ptx", &text).is_err());
    }

    #[test]
    fn what_decodes_runs_or_faults(text in broken()) {
        let mut device = Device::new(Chip::by_name("h200").unwrap());
        device.options().budget = 100_000;
        let Ok(module) = device.load("x.ptx", &text) else { return Ok(()) };
        let (a, b) = (device.allocate(4096).unwrap(), device.allocate(4096).unwrap());
        for kernel in ["stencil_constant", "stencil_wide", "chase_constant", "chase_shared", "ld_const_64", "st_shared_32"] {
            let n = Arg::Value(40u32.to_le_bytes().to_vec());
            for args in [
                vec![Arg::Buffer(a, 64), Arg::Buffer(b, 64), n.clone()],
                vec![Arg::Buffer(a, 0), Arg::Buffer(b, 0)],
                vec![Arg::Buffer(a, 0), Arg::Buffer(b, 0), n.clone(), Arg::Buffer(a, 0), n.clone()],
            ] {
                let launch = Launch { module, kernel, grid: [3, 1, 1], block: [40, 1, 1], shared_bytes: 256, args };
                let _ = device.launch(&launch);
            }
        }
    }
}
