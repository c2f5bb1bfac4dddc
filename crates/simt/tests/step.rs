//! Single steps of a warp.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, kernel};
use simt::{Arg, Buffer, Checks, Doing, Error, FaultKind, Launch, RegisterState, State, StepTo, Stepped};

/// Each thread's number in its block, and the address of a word of `p0` for it.
const OWN: &str = "
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
";

/// A branch whose parts write other numbers, and meet at the store.
const PARTED: &str = "
    setp.lt.u32 %p1, %r1, 8;
    @%p1 bra LOW;
    mov.u32 %r2, 5;
    bra.uni MEET;
    LOW: add.u32 %r2, %r1, 100;
    MEET: st.global.u32 [%rd1], %r2;
    ret;
";

struct Steps {
    bench: Bench,
    out: Buffer,
    block: u32,
}

impl Steps {
    fn new(block: u32, body: &str) -> Self {
        let mut bench = Bench::new(&kernel(1, &format!("{OWN}{body}")));
        let out = bench.words(&vec![7; block as usize]);
        Steps { bench, out, block }
    }

    fn launch(&self) -> Launch<'static> {
        Launch {
            module: self.bench.module,
            kernel: "k",
            grid: [2, 1, 1],
            block: [self.block, 1, 1],
            shared_bytes: 0,
            args: vec![Arg::Buffer(self.out, 0)],
            cluster: None,
            cooperative: false,
        }
    }

    fn to(&mut self, to: StepTo) -> Stepped {
        let launch = self.launch();
        self.bench.device.step(&launch, to).unwrap()
    }

    fn state(&mut self, warp: u32, at: u64) -> State {
        *self.to(StepTo::new([0; 3], warp, at)).state.unwrap()
    }

    /// The state after the first instruction that begins so.
    fn after(&mut self, warp: u32, instruction: &str) -> State {
        let all = self.to(StepTo::path([0; 3], warp, 1)).executed;
        (0..all)
            .map(|at| self.state(warp, at))
            .find(|state| state.instruction.starts_with(instruction))
            .unwrap()
    }
}

fn register<'s>(state: &'s State, name: &str) -> Option<&'s RegisterState> {
    state.registers.iter().find(|register| register.name == name)
}

#[test]
fn a_parted_warp_shows_both_parts_and_where_they_meet() {
    let mut steps = Steps::new(32, PARTED);
    let branch = steps.after(0, "@%p1 bra");
    assert_eq!((branch.active, branch.executed), (u32::MAX, 0xff));
    let warp = &branch.warps[0];
    let paths: Vec<(u32, Doing)> = warp.paths.iter().map(|path| (path.lanes, path.does)).collect();
    assert_eq!(paths, [(0xff, Doing::Running), (!0xff, Doing::Ready)]);
    let [meeting] = &warp.meetings[..] else { panic!("{:?}", warp.meetings) };
    assert_eq!((meeting.expected, meeting.arrived), (u32::MAX, 0));

    // The other part runs while this one waits at the meeting.
    let low = steps.after(0, "add.u32 %r2");
    assert_eq!(low.active, 0xff);
    let other = steps.after(0, "mov.u32 %r2, 5");
    assert_eq!(other.active, !0xff);
    let waits = other.warps[0].paths.iter().find(|path| path.lanes == 0xff).unwrap();
    assert_eq!((waits.does, &waits.at), (Doing::Meeting { awaits: !0xff }, &meeting.place));
    let written = register(&low, "%r2").unwrap();
    assert!((0..32).all(|lane| written.written[lane].is_some() == (lane < 8)));

    let store = steps.after(0, "st.global");
    assert_eq!((store.active, store.place.at), (u32::MAX, meeting.place.at));
    assert!(store.warps[0].meetings.is_empty());
    let values = register(&store, "%r2").unwrap().values;
    assert!((0..32).all(|lane| values[lane] == if lane < 8 { 100 + lane as u64 } else { 5 }));
}

#[test]
fn a_register_appears_with_the_instruction_that_writes_it() {
    let mut steps = Steps::new(32, PARTED);
    let first = steps.state(0, 0);
    assert_eq!(first.instruction, "ld.param.u64 %rd1, [p0];");
    assert_eq!(first.registers.iter().map(|register| register.name.as_str()).collect::<Vec<_>>(), ["%rd1"]);
    let write = first.registers[0].written[31].unwrap();
    assert_eq!((first.registers[0].ty.as_str(), write.at, write.line), ("b64", 0, first.place.at.0));
    let address = steps.bench.device.address(steps.out).unwrap();
    assert_eq!(first.registers[0].values, [address; 32]);
    let own = steps.state(0, 1);
    assert_eq!(register(&own, "%r1").unwrap().values[31], 31);
    let (low, meet) = (steps.after(0, "add.u32 %r2"), steps.after(0, "st.global"));
    let last = register(&meet, "%r2").unwrap().written[0].unwrap();
    assert_eq!((last.at, last.line), (low.at, low.place.at.0));
    assert!(register(&first, "%r1").is_none() && register(&own, "%p1").is_none());
    let predicate = steps.state(0, 4);
    assert_eq!(register(&predicate, "%p1").unwrap().values[7..9], [1, 0]);
}

#[test]
fn each_turn_of_a_loop_has_steps_of_its_own() {
    let body = "
        mov.u32 %r2, 0;
        AGAIN: add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, 3;
        @%p1 bra AGAIN;
        st.global.u32 [%rd1], %r2;
        ret;
    ";
    let mut steps = Steps::new(32, body);
    let whole = steps.to(StepTo::path([0; 3], 0, 100));
    assert_eq!((whole.executed, whole.ended, whole.state), (4 + 1 + 3 * 3 + 2, true, None));
    let counts: Vec<u64> =
        (5..14).step_by(3).map(|at| register(&steps.state(0, at), "%r2").unwrap().values[0]).collect();
    assert_eq!(counts, [1, 2, 3]);
    // Without lines of a source, those of the PTX: one stretch for each instruction.
    assert_eq!(whole.path.len() as u64, whole.executed);
    assert_eq!(whole.files, ["test.ptx"]);
    assert_eq!(whole.path[5].line, whole.path[8].line);
    let some = steps.to(StepTo::path([0; 3], 0, 10));
    assert_eq!((some.path.len(), some.path_left_out, some.path[..] == whole.path[..10]), (10, 6, true));
}

const EXCHANGE: &str = "
    .shared .align 4 .b32 tile[64];
    mov.u32 %r3, tile;
    shl.b32 %r4, %r1, 2;
    add.u32 %r3, %r3, %r4;
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    xor.b32 %r4, %r4, 128;
    mov.u32 %r3, tile;
    add.u32 %r3, %r3, %r4;
    ld.shared.u32 %r5, [%r3];
    st.global.u32 [%rd1], %r5;
    ret;
";

#[test]
fn a_warp_waits_at_a_barrier_until_the_last_one_comes() {
    let mut steps = Steps::new(64, EXCHANGE);
    let first = steps.after(0, "bar.sync");
    let wait = Doing::Barrier { number: 0, threads: None };
    assert_eq!(first.warps[0].paths[0].does, wait);
    assert_eq!((first.warps[1].executed, first.warps[1].paths[0].lanes), (0, u32::MAX));
    // The second one is the last: both go on.
    let second = steps.after(1, "bar.sync");
    assert!(second.warps.iter().all(|warp| warp.paths[0].does != wait), "{:?}", second.warps);
    assert_eq!(second.warps[0].executed, first.warps[0].executed);
}

#[test]
fn shared_memory_is_what_has_been_written_so_far() {
    let mut steps = Steps::new(64, EXCHANGE);
    let before = steps.after(0, "add.u32 %r3");
    assert_eq!((before.shared.len(), before.shared_written.iter().any(|is| *is)), (256, false));
    assert_eq!(before.shared_variables, [("tile".to_owned(), 0, 256)]);
    let first = steps.after(0, "bar.sync");
    assert!((0..256).all(|byte| first.shared_written[byte] == (byte < 128)));
    assert_eq!(first.shared[4 * 31..4 * 32], 31u32.to_le_bytes());
    let both = steps.after(1, "bar.sync");
    assert!(both.shared_written.iter().all(|is| *is));
    let [store] = &both.events[..] else { panic!("{:?}", both.events) };
    assert_eq!((store.access.mnemonic.as_str(), store.access.warp), ("st.shared.u32", 1));
    assert_eq!(steps.state(1, store.at).instruction, "st.shared.u32 [%r3], %r1;");
}

#[test]
fn a_step_back_and_forth_is_the_same_and_changes_nothing() {
    let mut steps = Steps::new(64, EXCHANGE);
    let launch = steps.launch();
    let all = steps.to(StepTo::path([0; 3], 1, 1)).executed;
    let there: Vec<State> = (0..all).map(|at| steps.state(1, at)).collect();
    let back: Vec<State> = (0..all).rev().map(|at| steps.state(1, at)).collect();
    assert!(there.iter().eq(back.iter().rev()));
    assert_eq!(steps.bench.read(steps.out, 64), [7; 64]);
    let outcome = steps.bench.device.launch(&launch).unwrap();
    let other = Steps::new(64, EXCHANGE);
    let mut bench = other.bench;
    assert_eq!(outcome, bench.device.launch(&launch).unwrap());
    assert_eq!(steps.bench.read(steps.out, 64), bench.read(other.out, 64));
}

#[test]
fn steps_count_what_a_launch_counts() {
    for (block, body) in [(64, EXCHANGE), (32, PARTED), (96, PARTED)] {
        for checks in [Checks::NONE, Checks::ALL] {
            let mut steps = Steps::new(block, body);
            steps.bench.device.options().checks = checks;
            let launch = steps.launch();
            // The last of two blocks, so all of the launch.
            let all = StepTo { warp: None, ..StepTo::path([1, 0, 0], 0, 1) };
            let stepped = steps.to(all);
            let mut counters = steps.bench.device.launch(&launch).unwrap().counters;
            // These are extrapolated when a launch has ended.
            (counters.modelled_constant_l1_misses, counters.modelled_constant_l2_misses) = (0, 0);
            assert_eq!(stepped.counters, counters);
            assert_eq!(2 * stepped.executed, counters.warp_instructions);
        }
    }
}

#[test]
fn beyond_the_end_there_is_no_state_but_the_number_of_steps() {
    let mut steps = Steps::new(64, EXCHANGE);
    let stepped = steps.to(StepTo::new([1, 0, 0], 1, 1000));
    assert_eq!((stepped.state, stepped.executed, stepped.ended), (None, 4 + 11, true));
    let last = steps.state(1, stepped.executed - 1);
    assert_eq!((last.instruction.as_str(), &last.warps[1].paths[..]), ("ret;", &[][..]));
    assert_eq!(last.warps[0].executed, stepped.executed);
}

#[test]
fn a_block_or_warp_that_is_not_there_is_an_error() {
    let mut steps = Steps::new(64, EXCHANGE);
    let launch = steps.launch();
    for (to, says) in [
        (StepTo::new([2, 0, 0], 0, 0), "the grid is [2, 1, 1]"),
        (StepTo::new([0; 3], 2, 0), "a block has 2"),
    ] {
        let error = steps.bench.device.step(&launch, to).unwrap_err();
        assert!(matches!(error, Error::TooManyThreads { .. }) && error.to_string().contains(says), "{error}");
    }
}

#[test]
fn a_fault_ends_the_steps_at_its_instruction() {
    let mut steps = Steps::new(32, "add.s64 %rd1, %rd1, 128; st.global.u32 [%rd1], %r1; ret;");
    let stepped = steps.to(StepTo::new([0; 3], 0, 5));
    assert_eq!((stepped.executed, stepped.ended, &stepped.state), (5, false, &None));
    assert_eq!(stepped.fault.unwrap().kind, FaultKind::OutOfBoundsGlobal);
    assert!(steps.to(StepTo::new([0; 3], 0, 4)).fault.is_none());
}
