//! Launches that repeat an earlier one are not executed, and nothing but their time tells.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common::Bench;
use simt::{Arg, Buffer, Checks, Launch, Outcome};

/// `copy` gives the second buffer three times the first and a constant, `count` adds to the third with atomics, `shift` moves the
/// second by a word onto itself, and `tell` prints.
const KERNELS: &str = r#"
    .version 8.8
    .target sm_52
    .address_size 64
    .const .align 4 .u32 c[4];
    .global .align 1 .b8 text[3] = {104, 105, 0};
    .extern .func (.param .b32 r) vprintf (.param .b64 text, .param .b64 arguments);
    .visible .entry copy(.param .u64 from, .param .u64 to, .param .u64 sum)
    {
        .reg .b32 %r<8>; .reg .b64 %rd<8>;
        ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
        mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r1, %r1, %r2, %r3;
        mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
        ld.global.u32 %r4, [%rd1]; ld.const.u32 %r5, [c+4];
        mad.lo.s32 %r4, %r4, 3, %r5; st.global.u32 [%rd2], %r4;
        ret;
    }
    .visible .entry count(.param .u64 from, .param .u64 to, .param .u64 sum)
    {
        .reg .b32 %r<8>; .reg .b64 %rd<8>;
        ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [sum];
        mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3;
        ld.global.u32 %r4, [%rd1]; red.global.add.u32 [%rd2], %r4;
        ret;
    }
    .visible .entry shift(.param .u64 from, .param .u64 to, .param .u64 sum)
    {
        .reg .b32 %r<8>; .reg .b64 %rd<8>;
        ld.param.u64 %rd1, [to];
        mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3;
        ld.global.u32 %r4, [%rd1+128]; bar.sync 0; st.global.u32 [%rd1], %r4;
        ret;
    }
    .visible .entry tell(.param .u64 from, .param .u64 to, .param .u64 sum)
    {
        .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<2>;
        mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 5; @%p1 bra END;
        mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, 0;
        { .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd1; st.param.b64 [b], %rd2;
          call (r), vprintf, (a, b); }
    END:
        ret;
    }
"#;
const NAMES: [&str; 4] = ["copy", "count", "shift", "tell"];
const WORDS: usize = 96;

struct One {
    bench: Bench,
    buffers: [Buffer; 3],
    spare: Option<Buffer>,
}

impl One {
    fn new(checks: Checks, repeats: bool) -> Self {
        let mut bench = Bench::new(KERNELS);
        let options = bench.device.options();
        (options.checks, options.repeats, options.deterministic) = (checks, repeats, true);
        let words: Vec<u32> = (0..WORDS as u32).collect();
        let buffers = [&words[..], &vec![0; WORDS + 32], &[0]].map(|words| bench.words(words));
        bench.device.write_symbol(bench.module, "c", 0, &[7; 16]).unwrap();
        One { bench, buffers, spare: None }
    }

    fn launch(&mut self, kernel: &str) -> Outcome {
        let args = self.buffers.map(|buffer| Arg::Buffer(buffer, 0)).to_vec();
        let (module, grid, block) = (self.bench.module, [3, 1, 1], [32, 1, 1]);
        let (cluster, cooperative, shared_bytes) = (None, false, 0);
        let grid = if kernel == "shift" { [1, 1, 1] } else { grid };
        let launch = Launch { module, kernel, grid, block, shared_bytes, args, cluster, cooperative };
        self.bench.device.launch(&launch).unwrap()
    }

    /// What the host does between launches, by a number.
    fn change(&mut self, n: u64) {
        let device = &mut self.bench.device;
        match n % 6 {
            0 => device.fill(self.buffers[1], 0).unwrap(),
            1 => device.fill(self.buffers[2], 0).unwrap(),
            2 => device.write(self.buffers[0], n % 90, &[n as u8]).unwrap(),
            3 => device.write_symbol(self.bench.module, "c", 4, &[n as u8 % 2]).unwrap(),
            4 => device.options().keep_going = n.is_multiple_of(4),
            _ => match self.spare.take() {
                Some(spare) => device.free(spare).unwrap(),
                None => self.spare = Some(device.allocate(64).unwrap()),
            },
        }
    }

    fn memory(&self) -> [Vec<u32>; 3] {
        let [from, to, sum] = self.buffers;
        [(from, WORDS), (to, WORDS + 32), (sum, 1)].map(|(buffer, words)| self.bench.read(buffer, words))
    }
}

/// Launches and changes in random order, each several times in a row, on a device that executes all and on one that does not.
#[test]
fn a_launch_that_repeats_another_leaves_what_executing_it_leaves() {
    let account = Checks { accessed: true, unread: true, ..Checks::ALL };
    for (seed, checks) in [(1, Checks::NONE), (2, Checks::ALL), (3, account)] {
        let mut random: u64 = seed;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let mut both = [false, true].map(|repeats| One::new(checks, repeats));
        for step in 0..150 {
            let (what, times, kernel) = (next(3), 1 + next(12), NAMES[next(4) as usize]);
            let change = next(1000);
            for time in 0..times {
                let at = format!("seed {seed}, step {step}, {kernel} for the {time}th time");
                if what == 0 {
                    both.iter_mut().for_each(|one| one.change(change));
                }
                let [plain, repeated] = both.each_mut().map(|one| one.launch(kernel));
                assert_eq!(plain, repeated, "{at}");
                let [plain, repeated] =
                    both.each_ref().map(|one| (one.memory(), one.bench.device.accessed()));
                assert_eq!(plain, repeated, "{at}");
            }
        }
        let [plain, repeated] = both.map(|one| one.bench.device.repeats());
        assert!(plain == 0 && repeated > 40, "seed {seed}: {repeated} of the launches were not executed");
    }
}

/// Memory that is large for what a launch does costs more to look at than the launch.
#[test]
fn a_small_launch_next_to_much_memory_is_executed() {
    let mut one = One::new(Checks::NONE, true);
    let _large = one.bench.device.allocate(1 << 20).unwrap();
    for _ in 0..20 {
        one.launch("copy");
    }
    assert_eq!(one.bench.device.repeats(), 0);
}
