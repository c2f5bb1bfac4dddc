//! Any arguments: every function gives a result or a signal, and no more time and memory than there are bytes.

use crate::guest::{Fake, Program};
use runtime::{
    Signal,
    library::{Row, implicit, rows},
};

/// A generator of numbers, the same in every run (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// A comparison of a program that is wrong, and that ends it when it was called often.
fn compare(guest: &mut Fake, given: &[u64]) -> Result<u64, Signal> {
    guest.notes.push(given.len() as u64);
    if guest.notes.len() > 10_000 { Err(Signal::Exit(1)) } else { Ok(guest.notes.len() as u64 * 7 % 3) }
}

const TEXTS: [&str; 12] = [
    "",
    "%d %s %n",
    "%*.*f|%Lg|%a",
    "%5$s%-08.3x%hhn",
    "%[^a-z]%m%ms%99999999d",
    "file",
    "../file",
    "/etc/passwd",
    "w+",
    "-abc",
    "--size=3",
    "12.5e3",
];

/// What a test of one function gives as arguments: addresses that are something, and any bits.
fn arguments(program: &mut Program, numbers: &mut Numbers) -> Vec<u64> {
    let stream = program.call("__standard_stream", &[numbers.below(3)]);
    let path = program.text("file");
    let mode = program.text("w+");
    let file = if numbers.below(4) == 0 { program.call("fopen", &[path, mode]) } else { 0 };
    let block = program.call("malloc", &[numbers.below(100)]);
    let freed = program.call("malloc", &[8]);
    program.call("free", &[freed]);
    let bits: Vec<u64> = (0..32)
        .map(|_| if numbers.below(3) == 0 { block } else { numbers.next() >> numbers.below(64) })
        .collect();
    let cells = program.guest.cells(&bits);
    let mut one = || match numbers.below(12) {
        0 => 0,
        1 => numbers.next(),
        2 => numbers.below(40),
        3 => u64::MAX - numbers.below(3),
        4 => 1 << numbers.below(64),
        5 => stream,
        6 => file,
        7 => block + numbers.below(30),
        8 => freed,
        9 => cells,
        _ => program.text(TEXTS[numbers.below(12) as usize]),
    };
    (0..8).map(|_| one()).collect()
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn every_function_answers_any_arguments() {
    let mut numbers = Numbers(3);
    let all: Vec<&Row> = rows().chain(implicit()).collect();
    for row in all {
        for _ in 0..3 {
            let mut program = Program::with("12 abc 3.5\nline\n", |_| {});
            program.guest.functions.push(compare);
            for _ in 0..40 {
                program.guest.reset();
                let given = arguments(&mut program, &mut numbers);
                let count = numbers.below(9) as usize;
                let _ = program.try_call(row.name, &given[..count]);
                program.guest.notes.clear();
            }
            // The library works after it.
            let block = program.call("malloc", &[8]);
            assert_ne!(block, 0, "{}", row.name);
        }
    }
}
