//! Warp-wide instructions of which lanes are missing: the cases of `masks/masks.json`, with what an H200 gave for each
//! (`scripts/masks`), run on the embedded device.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Arg, Checks, Error, Fault, FaultKind};
use std::collections::BTreeMap;

#[derive(serde::Deserialize, Debug)]
struct Case {
    version: String,
    target: String,
    instruction: String,
    exited: u32,
    running: u32,
    members: u32,
    others: u32,
    b: u32,
    c: u32,
    #[serde(default)]
    values: Vec<u32>,
    #[serde(default)]
    predicates: u32,
    #[serde(default)]
    fault: Option<String>,
}

const UNTOUCHED: u32 = 0xdead_beef;

impl Case {
    fn ptx(&self) -> String {
        include_str!("masks/kernel.ptx")
            .replace("VERSION", &self.version)
            .replace("TARGET", &self.target)
            .replace("INSTRUCTION", &self.instruction)
    }

    /// The results of the lanes that executed the instruction, and for which of them the predicate holds.
    fn run(&self, bench: &mut Bench) -> Result<(Vec<u32>, u32), Box<Fault>> {
        let out = bench.words(&[UNTOUCHED; 64]);
        let mut args = vec![Arg::Buffer(out, 0)];
        for word in [self.exited, self.running, self.members, self.others, self.b, self.c] {
            args.push(Arg::Value(word.to_le_bytes().to_vec()));
        }
        let result = bench.launch_with(1, 32, 0, args);
        let words = bench.read(out, 64);
        bench.device.free(out).unwrap();
        match result {
            Ok(_) => {}
            Err(Error::Fault(fault)) => return Err(fault),
            Err(error) => panic!("{error}"),
        }
        let ran: Vec<usize> = (0..32).filter(|l| words[2 * l + 1] != UNTOUCHED).collect();
        let holds = ran.iter().filter(|l| words[2 * **l + 1] != 0).fold(0, |mask, l| mask | 1 << l);
        Ok((ran.iter().map(|l| words[2 * l]).collect(), holds))
    }
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("masks/masks.json")).unwrap()
}

#[test]
fn missing_lanes_give_what_an_h200_gives() {
    let mut benches: BTreeMap<String, Bench> = BTreeMap::new();
    let cases = cases();
    assert_eq!(cases.len(), 667);
    for case in &cases {
        let ptx = case.ptx();
        let bench = benches.entry(ptx).or_insert_with_key(|ptx| Bench::new(ptx));
        match (case.run(bench), &case.fault) {
            (Ok(given), None) => assert_eq!(given, (case.values.clone(), case.predicates), "{case:?}"),
            (Err(fault), Some(told)) => {
                assert_eq!(told, "illegal instruction", "{case:?}");
                assert_eq!(fault.kind, FaultKind::InvalidMask, "{fault}\n{case:?}");
            }
            (Ok(_), Some(_)) => panic!("no fault: {case:?}"),
            (Err(fault), None) => panic!("{fault}\n{case:?}"),
        }
    }
}

fn first(instruction: &str, running: u32, members: u32) -> Case {
    let is_it = |case: &Case| {
        case.instruction.starts_with(instruction) && case.running == running && case.members == members
    };
    cases().into_iter().find(is_it).unwrap()
}

#[test]
fn an_invalid_mask_is_reported_with_the_lane_and_the_mask() {
    for instruction in
        ["bar.warp.sync", "shfl.sync.up", "vote.sync.any", "match.any", "redux.sync.add", "elect"]
    {
        let case = Case { exited: 0, others: 0xff, ..first(instruction, u32::MAX, 0xff) };
        let fault = case.run(&mut Bench::new(&case.ptx())).unwrap_err();
        assert_eq!((fault.kind, fault.thread), (FaultKind::InvalidMask, [8, 0, 0]), "{fault}");
        assert_eq!(
            fault.message,
            "lane 8 executes a warp-wide instruction whose member mask, 0x000000ff, does not name it"
        );
        assert_eq!(fault.kind.name(), "invalid-mask");
    }
}

#[test]
fn lanes_that_come_later_are_held_against_the_mask_too() {
    // Half of the lanes is elsewhere when the first come, whose mask names some of these and leaves out one of its own.
    let case = Case { members: 0x1_00ff, others: 0x1_00ff, ..first("bar.warp.sync", 0xffff, 0xff) };
    let fault = case.run(&mut Bench::new(&case.ptx())).unwrap_err();
    assert_eq!((fault.kind, fault.thread), (FaultKind::InvalidMask, [8, 0, 0]), "{fault}");
}

#[test]
fn with_checks_a_value_of_a_lane_that_does_not_take_part_is_a_fault() {
    let case = Case { b: 4, c: 31, ..first("shfl.sync.down", 0xff, 0xff) };
    let mut bench = Bench::new(&case.ptx());
    let (values, predicates) = case.run(&mut bench).unwrap();
    assert_eq!((values, predicates), (vec![407, 507, 607, 707, 0, 0, 0, 0], 0xff));
    bench.device.options().checks = Checks::ALL;
    let fault = case.run(&mut bench).unwrap_err();
    assert_eq!((fault.kind, fault.thread), (FaultKind::InvalidMask, [4, 0, 0]), "{fault}");
    assert_eq!(
        fault.message,
        "lane 4 takes the value of lane 8, which does not take part in the shuffle: that value is undefined"
    );
    // Out of bounds, it keeps its own.
    let bounded = Case { c: 7, ..case };
    assert_eq!(bounded.run(&mut bench).unwrap(), (vec![407, 507, 607, 707, 407, 507, 607, 707], 0xf));
}

#[test]
fn a_lane_of_the_mask_that_waits_at_a_barrier_is_reported_at_the_instruction() {
    let body = format!(
        r"
            {OWN_WORD}
            setp.ge.u32 %p1, %r4, 16;
            @%p1 bra MEET;
            shfl.sync.down.b32 %r5, %r4, 8, 31, -1;
            MEET:
            bar.sync 0;
            st.global.u32 [%rd1], %r1;
            ret;
        "
    );
    let mut bench = Bench::new(&kernel(1, &body));
    let out = bench.words(&[0; 64]);
    let Err(Error::Fault(fault)) = bench.launch(1, 64, &[out]) else { panic!("no fault") };
    assert_eq!((fault.kind, fault.thread), (FaultKind::InvalidMask, [0; 3]), "{fault}");
    assert_eq!(
        fault.message,
        "lane 0 executes a warp-wide instruction whose member mask, 0xffffffff, names lane 16, which waits at a barrier of \
         the block"
    );
}
