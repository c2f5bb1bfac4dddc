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
                    let mut cut = with.index(lines[n].len() + 1);
                    while !lines[n].is_char_boundary(cut) {
                        cut -= 1;
                    }
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
        let errors = match Program::decode("x.ptx", &text) {
            Ok(program) => program.refusals().unwrap().into_iter().flat_map(|refusal| refusal.reasons).collect(),
            Err(error) => vec![error],
        };
        for error in errors {
            // Where the text tells its source, that comes first.
            let said = error.to_string();
            prop_assert!(said.starts_with("x.ptx:") || said.contains(" (x.ptx:"), "{}", said);
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
                let launch = Launch { module, kernel, grid: [3, 1, 1], block: [40, 1, 1], shared_bytes: 256, args, cluster: None, cooperative: false };
                let _ = device.launch(&launch);
            }
        }
    }
}

/// A module of one kernel `k` without parameters.
fn module(outside: &str, body: &str) -> String {
    format!(
        r"
            .version 8.8
            .target sm_90
            .address_size 64
            {outside}
            .visible .entry k()
            {{
                .reg .pred %p<4>;
                .reg .b32 %r<8>;
                .reg .b64 %rd<8>;
                {body}
            }}
        "
    )
}

/// Launches `k` with small budgets; says what became of it.
fn outcome(ptx: &str, grid: [u32; 3], block: u32) -> Result<simt::Outcome, String> {
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    let options = device.options();
    options.budget = 1_000_000;
    options.launch_budget = 4_000_000;
    options.stack_bytes = 64 << 20;
    options.memory_bytes = 64 << 20;
    options.print_bytes = 1000;
    let kind = |error: simt::Error| format!("{}: {error}", error.kind().unwrap_or("-"));
    let module = device.load("x.ptx", ptx).map_err(kind)?;
    let launch = Launch {
        module,
        kernel: "k",
        grid,
        block: [block, 1, 1],
        shared_bytes: 0,
        args: vec![],
        cluster: None,
        cooperative: false,
    };
    device.launch(&launch).map_err(kind)
}

fn refused(ptx: &str, grid: [u32; 3], block: u32, kind: &str) {
    let error = outcome(ptx, grid, block).expect_err("it is refused");
    assert!(error.starts_with(kind), "{error}");
}

#[test]
fn a_launch_ends_however_many_blocks_it_has() {
    let ret = module("", "ret;");
    refused(&ret, [0x7fff_ffff, 65535, 65535], 1024, "infinite-loop");
    // Each within its own budget.
    let long = module(
        "",
        r"
            mov.u32 %r0, 0;
            L:
            add.u32 %r0, %r0, 1;
            setp.lt.u32 %p0, %r0, 10000;
            @%p0 bra L;
            ret;
        ",
    );
    assert!(outcome(&long, [10, 1, 1], 32).is_ok());
    refused(&long, [4000, 1, 1], 32, "infinite-loop");
    refused(&module("", "L:\nbra L;"), [1000, 1, 1], 1024, "infinite-loop");
    refused(&module("", "L:\nbar.sync 0;\nbra L;"), [3, 1, 1], 1024, "infinite-loop");
}

#[test]
fn the_launch_budget_is_reported_alike_in_every_run() {
    let long = module(
        "",
        r"
            mov.u32 %r0, 0;
            L:
            add.u32 %r0, %r0, 1;
            setp.lt.u32 %p0, %r0, 10000;
            @%p0 bra L;
            ret;
        ",
    );
    let first = outcome(&long, [4000, 1, 1], 64).expect_err("it is refused");
    assert!(first.contains("more than 4000000 warp instructions in the launch"), "{first}");
    for _ in 0..3 {
        assert_eq!(outcome(&long, [4000, 1, 1], 64).expect_err("it is refused"), first);
    }
}

#[test]
fn stacks_have_an_end() {
    let local = module("", ".local .b8 a[500000]; ret;");
    assert!(outcome(&local, [1, 1, 1], 32).is_ok());
    refused(&local, [1, 1, 1], 1024, "stack-overflow");
    for (locals, threads) in
        [("", 1), ("", 1024), (".local .b8 a[4096];", 1024), (".local .b8 a[400000];", 32)]
    {
        let function = format!(
            r"
            .func f()
            {{
                {locals}
                call f;
                ret;
            }}
        "
        );
        refused(&module(&function, "call f; ret;"), [2, 1, 1], threads, "stack-overflow");
    }
    // Every lane of its own accord.
    let apart = r"
        .func f(.reg .b32 n)
        {
            .reg .pred p, q;
            .reg .b32 a, b;
            .local .b8 room[1024];
            mov.u32 a, %laneid;
            and.b32 b, a, n;
            setp.ne.u32 p, b, 0;
            add.u32 n, n, 1;
            @p call f, (n);
            @!p call f, (n);
            ret;
        }
    ";
    refused(&module(apart, "call f, (1); ret;"), [1, 1, 1], 1024, "stack-overflow");
}

#[test]
fn memory_has_an_end() {
    let variable = |bytes: u64| module(&format!(".global .b8 a[{bytes}];"), "ret;");
    assert!(outcome(&variable(1 << 20), [1, 1, 1], 1).is_ok());
    for bytes in [65 << 20, 1 << 36, 1 << 40, u64::MAX] {
        assert!(outcome(&variable(bytes), [1, 1, 1], 1).is_err());
    }
    let many: String = (0..100).map(|n| format!(".global .b8 a{n}[1048576];\n")).collect();
    assert!(outcome(&module(&many, "ret;"), [1, 1, 1], 1).is_err());
    refused(&module("", ".shared .b8 a[4294967295]; mov.u32 %r0, a; ret;"), [1, 1, 1], 1, "too-much-shared");
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    assert!(device.allocate(1 << 36).is_err() && device.allocate(u64::MAX).is_err());
    // As much as is allowed, but not touched.
    assert!(device.allocate(4 << 30).is_ok());
}

#[test]
fn output_has_an_end() {
    let text = |format: &str| {
        let bytes: Vec<String> = format.bytes().chain([0]).map(|b| b.to_string()).collect();
        module(
            &format!(
                r"
                    .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
                    .global .align 1 .b8 format[{}] = {{ {} }};
                ",
                bytes.len(),
                bytes.join(", ")
            ),
            r"
                .local .align 8 .b8 arguments[256];
                mov.u64 %rd0, format;
                mov.u64 %rd1, arguments;
                cvta.local.u64 %rd1, %rd1;
                {
                    .param .b64 p0;
                    .param .b64 p1;
                    .param .b32 q;
                    st.param.b64 [p0], %rd0;
                    st.param.b64 [p1], %rd1;
                    call (q), vprintf, (p0, p1);
                }
                ret;
            ",
        )
    };
    for format in
        ["%999999999999d", "%.999999999f", "%1000s%1000d", "%s%s%s%s", &"%1000d".repeat(1000), "é%5"]
    {
        let printed = outcome(&text(format), [20, 1, 1], 64).unwrap().printed;
        assert!(printed.len() < 1200, "{} bytes", printed.len());
    }
    let printed = outcome(&text("0123456789"), [20, 1, 1], 64).unwrap().printed;
    assert_eq!(&printed[..1000], "0123456789".repeat(100));
    assert!(printed.contains("more than the 1000 bytes"), "{printed}");
}

#[test]
fn short_texts_that_would_be_large_programs_are_refused() {
    // A list of targets is held for each branch that uses it.
    let labels = vec!["L"; 3000].join(", ");
    let many = format!("L:\nt: .branchtargets {labels};\n{}", "brx.idx %r0, t;\n".repeat(1000));
    assert!(first_reason(&module("", &many)).contains("targets"));
    // Many empty ones are only as large as their text.
    let kernels: String = (0..20_000).map(|n| format!(".entry k{n}() {{ ret; }}\n")).collect();
    assert_eq!(first_reason(&format!(".version 8.8 .target sm_90 .address_size 64 {kernels}")), "");
}

/// The first reason for refusing a kernel of a module, or nothing.
fn first_reason(text: &str) -> String {
    let refusals = Program::decode("x.ptx", text).unwrap().refusals().unwrap();
    refusals.first().map_or(String::new(), |refusal| refusal.reasons[0].to_string())
}

/// What makes walks over the flow graph long: a ladder of branches whose joins are far. With the square of its length it would
/// take minutes.
#[test]
fn a_long_ladder_of_branches_decodes() {
    let body: String =
        (0..20_000).map(|n| format!("setp.eq.u32 %p0, %r0, {n}; @%p0 bra E{}; E{n}: ", n / 2)).collect();
    assert!(Program::decode("x.ptx", &module("", &format!("{body}ret;"))).unwrap().prepare("k").is_ok());
}

mod nightly {
    use super::*;

    /// A function is held for each kernel that calls it.
    #[test]
    #[ignore = "nightly: decodes six million instructions"]
    fn a_short_text_whose_function_many_kernels_call_is_refused() {
        let function = format!(
            r"
            .func f()
            {{
                .reg .b32 a;
                {}ret;
            }}
        ",
            "add.u32 a, a, 1;\n".repeat(20_000)
        );
        let kernels: String = (0..300).map(|n| format!(".entry k{n}()\n{{\ncall f;\nret;\n}}\n")).collect();
        let text = format!(".version 8.8 .target sm_90 .address_size 64 {function}{kernels}");
        assert!(first_reason(&text).contains("instructions"));
        let mut program = Program::decode("x.ptx", &text).unwrap();
        let all = (0..300).find_map(|n| program.prepare(&format!("k{n}")).err());
        assert!(all.is_some_and(|e| e.to_string().contains("instructions")));
    }
}
