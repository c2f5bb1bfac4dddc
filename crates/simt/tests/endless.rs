//! Kernels without end: each ends at its budget, in the same way on every machine, and what waits or is long does not.
#![allow(clippy::unwrap_used, missing_docs)]

use simt::{Arg, Chip, Device, Error, Fault, FaultKind, Interrupt, Launch};
use std::time::{Duration, Instant};

/// A kernel `k` of one pointer, in `%rd1`.
fn module(outside: &str, body: &str) -> String {
    format!(
        r"
            .version 8.8
            .target sm_90
            .address_size 64
            {outside}
            .visible .entry k(.param .u64 words)
            {{
                .reg .pred %p<8>;
                .reg .b32 %r<32>;
                .reg .b64 %rd<16>;
                .reg .f64 %fd<8>;
                .reg .f32 %f<8>;
                ld.param.u64 %rd1, [words];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, 0;
                {body}
            }}
        "
    )
}

struct Shape {
    blocks: u32,
    threads: u32,
    checks: bool,
    budget: u64,
}

/// Of a loop without end: an eighth more than a block's turn, after which others run.
const BUDGET: u64 = 9 << 17;
/// Of one that does not depend on turns.
const SMALL_BUDGET: u64 = 9 << 13;

fn launched(device: &mut Device, text: &str, shape: &Shape) -> Result<simt::Outcome, Error> {
    let options = device.options();
    (options.budget, options.budget_per_byte) = (shape.budget, 0);
    options.checks = simt::Checks::all_or_none(shape.checks);
    let module = device.load("k.ptx", text)?;
    let words = device.allocate(4096)?;
    device.write(words, 0, &[0; 4096])?;
    device.launch(&Launch {
        module,
        kernel: "k",
        grid: [shape.blocks, 1, 1],
        block: [shape.threads, 1, 1],
        shared_bytes: 0,
        args: vec![Arg::Buffer(words, 0)],
        cluster: None,
        cooperative: false,
    })
}

fn device() -> Device {
    Device::new(Chip::by_name("h200").unwrap())
}

fn fault(text: &str, shape: &Shape) -> Fault {
    match launched(&mut device(), text, shape) {
        Err(Error::Fault(fault)) => *fault,
        other => panic!("{text}: {other:?}"),
    }
}

/// Loops without end, by what is in them.
#[expect(clippy::too_many_lines, reason = "a list of loops, with the text of each")]
fn loops() -> Vec<(&'static str, String)> {
    let mma = r"
        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%f0, %f1, %f2, %f3};
    ";
    let plain = [
        ("nothing", "L:\nbra L;".to_owned()),
        ("a sum", "L: add.u32 %r3, %r3, 1; bra L;".to_owned()),
        ("a barrier", "L:\nbar.sync 0;\nbra L;".to_owned()),
        (
            "a flag",
            r"
            L:
            ld.volatile.global.u32 %r3, [%rd1];
            setp.eq.u32 %p1, %r3, 0;
            @%p1 bra L;
            ret;
        "
            .to_owned(),
        ),
        (
            "a lock",
            r"
            L:
            atom.global.cas.b32 %r3, [%rd1], 1, 2;
            setp.eq.u32 %p1, %r3, 0;
            @%p1 bra L;
            ret;
        "
            .to_owned(),
        ),
        ("sleep", "L:\nnanosleep.u32 100;\nbra L;".to_owned()),
        ("atomics", "L: atom.global.add.u32 %r3, [%rd1], 1; bra L;".to_owned()),
        ("divisions", "mov.f64 %fd1, 0d3FF0000000000001; L: div.rn.f64 %fd1, %fd1, %fd1; bra L;".to_owned()),
        ("products of matrices", format!("L: {mma} bra L;")),
        (
            "lanes apart",
            r"
                mov.u32 %r4, %laneid;
                L:
                add.u32 %r3, %r3, 1;
                and.b32 %r5, %r3, 31;
                setp.lt.u32 %p1, %r5, %r4;
                @%p1 bra M;
                add.u32 %r6, %r6, 1;
                M:
                bra L;
            "
            .to_owned(),
        ),
    ];
    let mut all: Vec<_> = plain.into_iter().map(|(what, body)| (what, module("", &body))).collect();
    let function = r"
        .func f()
        {
            .reg .b32 a;
            L:
            add.u32 a, a, 1;
            bra L;
        }
    ";
    all.push(("a called function", module(function, "call f; ret;")));
    let calls = r"
        .func f()
        {
            .reg .b32 a;
            add.u32 a, a, 1;
            ret;
        }
    ";
    all.push(("calls", module(calls, "L:\ncall f;\nbra L;")));
    let malloc = ".extern .func (.param .b64 r) malloc (.param .b64 a);";
    let body = r"
        mov.u64 %rd2, 16;
        L:
        {
            .param .b64 p;
            .param .b64 q;
            st.param.b64 [p], %rd2;
            call (q), malloc, (p);
            ld.param.b64 %rd3, [q];
        }
        bra L;
    ";
    all.push(("malloc", module(malloc, body)));
    let print = r"
        .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
        .global .align 1 .b8 format[4] = { 97, 98, 10, 0 };
    ";
    let body = r"
        mov.u64 %rd2, format;
        mov.u64 %rd3, 0;
        L:
        {
            .param .b64 p;
            .param .b64 o;
            .param .b32 q;
            st.param.b64 [p], %rd2;
            st.param.b64 [o], %rd3;
            call (q), vprintf, (p, o);
        }
        bra L;
    ";
    all.push(("printf", module(print, body)));
    all
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn every_loop_without_end_is_a_fault_with_its_place() {
    for (what, text) in loops() {
        for (blocks, threads, budget) in [(1, 32, BUDGET), (1, 1024, SMALL_BUDGET), (3000, 64, BUDGET)] {
            for checks in [false, true] {
                let fault = fault(&text, &Shape { blocks, threads, checks, budget });
                let said = format!("{what}, {blocks} blocks of {threads}: {fault}");
                assert_eq!((fault.kind, fault.block), (FaultKind::InfiniteLoop, [0, 0, 0]), "{said}");
                assert!(fault.place.at.0 > 5 && fault.thread[0] < threads, "{said}");
            }
        }
    }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn the_fault_is_the_same_with_any_number_of_threads() {
    for (what, text) in loops() {
        let shape = Shape { blocks: 500, threads: 96, checks: false, budget: BUDGET };
        let faults = [1, 2, 3, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fault(&text, &shape))
        });
        assert!(faults.iter().all(|fault| *fault == faults[0]), "{what}: {faults:#?}");
    }
}

/// Lasts longer than a block may before others are looked at too, and so do all others.
#[test]
fn many_blocks_end_about_as_soon_as_one() {
    let text = module("", "L: add.u32 %r3, %r3, 1; bra L;");
    let budget = 1 << 25;
    let mut took = [(1, 1), (5000, 256)].map(|(blocks, threads)| {
        let begun = Instant::now();
        let fault = fault(&text, &Shape { blocks, threads, checks: false, budget });
        assert_eq!((fault.kind, fault.block), (FaultKind::InfiniteLoop, [0, 0, 0]));
        begun.elapsed()
    });
    took[0] = took[0].max(Duration::from_millis(500));
    assert!(took[1] < 20 * took[0], "{took:?}");
}

#[test]
fn a_block_that_waits_for_one_that_takes_long_is_not_at_fault() {
    // All blocks but the last wait for it, and it counts for nearly as long as it may.
    let text = module(
        "",
        r"
            mov.u32 %r4, %nctaid.x;
            sub.u32 %r4, %r4, 1;
            setp.eq.u32 %p1, %r2, %r4;
            @%p1 bra WORK;
            WAIT:
            ld.volatile.global.u32 %r3, [%rd1];
            setp.eq.u32 %p1, %r3, 0;
            @%p1 bra WAIT;
            ret;
            WORK:
            add.u32 %r3, %r3, 1;
            setp.lt.u32 %p1, %r3, 600000;
            @%p1 bra WORK;
            mov.u32 %r5, 1;
            st.volatile.global.u32 [%rd1], %r5;
            ret;
        ",
    );
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let shape = Shape { blocks: 400, threads: 32, checks: false, budget: 1 << 21 };
        pool.install(|| launched(&mut device(), &text, &shape)).unwrap();
    }
}

#[test]
fn more_data_may_take_longer() {
    let text = module(
        "",
        r"
        L:
        add.u32 %r3, %r3, 1;
        setp.lt.u32 %p1, %r3, 100000;
        @%p1 bra L;
        ret;
    ",
    );
    let run = |per_byte: u64| {
        let mut device = device();
        let options = device.options();
        (options.budget, options.budget_per_byte) = (1000, per_byte);
        let module = device.load("k.ptx", &text)?;
        let words = device.allocate(1 << 20)?;
        let (grid, block, args) = ([1; 3], [32, 1, 1], vec![Arg::Buffer(words, 0)]);
        let launch = Launch {
            module,
            kernel: "k",
            grid,
            block,
            shared_bytes: 0,
            args,
            cluster: None,
            cooperative: false,
        };
        device.launch(&launch)
    };
    assert!(run(1).is_ok());
    let said = run(0).unwrap_err().to_string();
    assert!(said.contains("more than 1000 warp instructions in one block"), "{said}");
}

#[test]
fn the_host_can_end_a_launch_and_learns_where_it_was() {
    for (what, text) in loops() {
        let mut device = device();
        let until = Instant::now() + Duration::from_millis(50);
        device.set_interrupt(Some(Interrupt {
            is_due: Box::new(move || Instant::now() > until),
            message: "long enough".to_owned(),
        }));
        let shape = Shape { blocks: 8, threads: 64, checks: false, budget: 1 << 40 };
        let Err(Error::Fault(fault)) = launched(&mut device, &text, &shape) else { panic!("{what}") };
        // Many are proven to be endless before.
        if !fault.proven {
            assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::TimeLimit, "long enough"), "{what}");
        }
        assert!(fault.place.at.0 > 5, "{what}: {fault}");
    }
}
