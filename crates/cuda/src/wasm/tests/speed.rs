//! How fast programs run, in simple operations a second: instructions of the representation, as its interpreter counts them.
//!
//! `cargo test --release -p cuda --lib wasm::tests::speed -- --ignored --nocapture`, and under node where there is one.

use std::time::Instant;

use super::super::Limits;
use super::program::{End, Program};
use crate::diagnostic::Diagnostics;
use crate::ir::run::Machine;
use crate::ir::{FunctionId, Module};
use crate::source::Sources;

/// Bytes of the data.
const DATA: u64 = 1 << 20;

const PROGRAMS: [(&str, &str); 7] = [
    (
        "saxpy",
        "float *x = (float *)p, *y = (float *)(p + 400000); for (int r = 0; r < 4; r++) for (int i = 0; i < 20000; i++) y[i] = 1.5f * x[i] + y[i];",
    ),
    (
        "matrices",
        "float *a = (float *)p, *b = a + 4096, *c = b + 4096; for (int i = 0; i < 48; i++) for (int j = 0; j < 48; j++) { float s = 0; for (int k = 0; k < 48; k++) s += a[i * 64 + k] * b[k * 64 + j]; c[i * 64 + j] = s; }",
    ),
    (
        "sieve",
        "for (int i = 0; i < 60000; i++) p[i] = 1; for (int i = 2; i * i < 60000; i++) if (p[i]) for (int j = i * i; j < 60000; j += i) p[j] = 0;",
    ),
    (
        "collatz",
        "unsigned most = 0; for (unsigned i = 1; i < 3000; i++) { unsigned n = i, steps = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; steps++; } if (steps > most) most = steps; } *(unsigned *)p = most;",
    ),
    (
        "mandelbrot",
        "int *out = (int *)p; for (int y = 0; y < 48; y++) for (int x = 0; x < 48; x++) { double a = x / 16.0 - 2, b = y / 16.0 - 1.5, u = 0, v = 0; int n = 0; while (n < 50 && u * u + v * v < 4) { double t = u * u - v * v + a; v = 2 * u * v + b; u = t; n++; } out[y * 48 + x] = n; }",
    ),
    (
        "sort",
        "int *a = (int *)p; unsigned s = 1; for (int i = 0; i < 600; i++) { s = s * 1664525 + 1013904223; a[i] = s >> 8; } for (int i = 1; i < 600; i++) { int v = a[i], j = i - 1; while (j >= 0 && a[j] > v) { a[j + 1] = a[j]; j--; } a[j + 1] = v; }",
    ),
    (
        "lists",
        "struct Node { Node *next; int value; }; Node *nodes = (Node *)p; for (int i = 0; i < 4000; i++) { nodes[i].next = i + 1 < 4000 ? nodes + i + 1 : 0; nodes[i].value = i; } int s = 0; for (int r = 0; r < 20; r++) for (Node *n = nodes; n; n = n->next) s += n->value; *(int *)p = s;",
    ),
];

/// The module of a function that does something with memory.
fn module(body: &str) -> Module {
    let text = format!("extern \"C\" __global__ void run(char *p) {{ {body} }}");
    let (mut sources, mut sink) = (Sources::default(), Diagnostics::default());
    sources.add("a.cu", text, false);
    let environment = crate::preprocess::Environment {
        arch: crate::Options::default().arch,
        side: crate::side::Side::Device,
        fast_math: false,
        defines: &[],
        loader: &|_| None,
        language: crate::Language::Cuda,
        before: &[],
        behind: None,
    };
    let tokens = crate::preprocess::preprocess(&mut sources, 0, &environment, &mut sink);
    let tree = crate::parse::parse(tokens, &sources, &mut sink);
    let program =
        crate::check::check(&tree, crate::side::Side::Device, &sources, &mut sink).expect("a program");
    let mut module = crate::lower::lower(&program, &mut sink);
    crate::passes::optimize(&mut module);
    module.functions.iter_mut().for_each(|function| function.visible = true);
    assert!(!sink.failed(), "{:?}", sink.list);
    module
}

/// Run by hand.
mod by_hand {
    use super::*;

    #[test]
    #[ignore = "prints times"]
    fn operations_a_second() {
        for (name, body) in PROGRAMS {
            let module = module(body);
            let mut machine = Machine::new(&module);
            let at = machine.allocate(DATA, 16);
            machine.write(at, &vec![0; DATA as usize]).unwrap();
            machine.call(FunctionId(0), &[at]).unwrap();
            let steps = machine.steps();
            // The heap has as much as the data from the beginning.
            let limits = Limits { memory: 16 << 20, stack: 1 << 20 };
            let mut program = Program::within(&module, &[], limits);
            if let Some(folder) = std::env::var_os("WASM") {
                let file = std::path::Path::new(&folder).join(format!("{name}.wasm"));
                std::fs::write(file, &program.output.bytes).unwrap();
            }
            let heap = program.output.heap.0;
            let mut best = f64::INFINITY;
            let begin = Instant::now();
            while begin.elapsed().as_secs_f64() < 1.0 {
                let start = Instant::now();
                assert_eq!(program.call("run", &[heap]), End::Returned(vec![]));
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!(
                "{name}: {steps} operations, heap {heap}: {:.0} million a second",
                steps as f64 / best / 1e6
            );
        }
    }
}
