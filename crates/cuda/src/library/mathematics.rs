//! The mathematics as the compiler compiles it, before and after its passes, run by the representation's interpreter and compared with correctly rounded
//! results (`references.txt`) within the manual's bounds (`library/math/bounds.txt`).
//!
//! `library/errors.md` says how large the errors are, of many more samples; here is that what is compiled is what was measured.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::{Bound, bounds, units};
use crate::{compile::Stage, ir, options::Input, options::Options};

/// Call of one function with the same expression at several points.
struct Call {
    /// CUDA C in `x` and `y`.
    expression: &'static str,
    /// Of single precision.
    single: bool,
    /// Arguments (the second is 0 where there is none) and the correctly rounded result.
    points: Vec<(f64, f64, f64)>,
}

impl Call {
    /// The function's name in the table of bounds: `sine_sincos` is a part of `sincos`.
    fn function(&self, bounds: &BTreeMap<&str, Bound>) -> &'static str {
        let name = self.expression.split('(').next().unwrap_or_default();
        if bounds.contains_key(name) { name } else { name.split_once('_').map_or(name, |(_, name)| name) }
    }
}

/// Number of which a word is the bits.
fn number(word: &str) -> f64 {
    let bits = u64::from_str_radix(word, 16);
    match (bits, word.len()) {
        (Ok(bits), 8) => f64::from(f32::from_bits(bits as u32)),
        (Ok(bits), _) => f64::from_bits(bits),
        (Err(_), _) => f64::NAN,
    }
}

fn references() -> Vec<Call> {
    let mut calls: Vec<Call> = vec![];
    for line in include_str!("references.txt").lines().filter(|line| !line.starts_with('#')) {
        if !line.starts_with(' ') {
            calls.push(Call { expression: line, single: false, points: vec![] });
            continue;
        }
        let call = calls.last_mut().unwrap();
        call.single |= line.split(' ').any(|word| word.len() == 8);
        let words: Vec<f64> = line.split_ascii_whitespace().map(number).collect();
        call.points.push(match *words {
            [x, result] => (x, 0.0, result),
            [x, y, result] => (x, y, result),
            _ => panic!("{line}"),
        });
    }
    calls
}

/// What a stage of the compiler makes of a source.
fn staged(source: &str, wanted: Stage) -> ir::Module {
    let input = Input { name: "k.cu", text: source, include: &|_| None };
    let mut text = String::new();
    let done = crate::compile::compile_watched(&input, &Options::default(), |stage, show| {
        if stage == wanted {
            text = show();
        }
    });
    if let Err(failure) = done {
        panic!("{}", crate::diagnostic::render(&failure.diagnostics, &failure.sources, false));
    }
    ir::parse::parse(&text)
}

fn bytes(value: f64, single: bool) -> Vec<u8> {
    if single { (value as f32).to_le_bytes().to_vec() } else { value.to_le_bytes().to_vec() }
}

/// Results of the calls at their points: a kernel for each, one thread over all points.
fn results(calls: &[Call], stage: Stage) -> Vec<Vec<f64>> {
    let kernels: Vec<String> = calls
        .iter()
        .enumerate()
        .map(|(k, Call { expression, single, points })| {
            let (kind, count) = (if *single { "float" } else { "double" }, points.len());
            format!(
                "extern \"C\" __global__ void k{k}(const {kind} *in, {kind} *out) {{ for (int i = 0; i < {count}; i++) \
                 {{ {kind} x = in[2 * i], y = in[2 * i + 1]; out[i] = {expression}; }} }}\n"
            )
        })
        .collect();
    let module = staged(&(include_str!("results.cuh").to_owned() + &kernels.concat()), stage);
    let run = |(k, call): (usize, &Call)| {
        let name = format!("k{k}");
        let kernel = module.functions.iter().position(|function| function.name == name).unwrap();
        let mut machine = ir::run::Machine::new(&module);
        let given: Vec<u8> = call
            .points
            .iter()
            .flat_map(|(x, y, _)| [bytes(*x, call.single), bytes(*y, call.single)].concat())
            .collect();
        let from = machine.allocate(given.len() as u64, 16);
        let to = machine.allocate(given.len() as u64 / 2, 16);
        machine.write(from, &given).unwrap();
        if let Err(why) = machine.call(ir::FunctionId(kernel as u32), &[from, to]) {
            panic!("{}: {why}", call.expression);
        }
        let found = machine.read(to, given.len() as u64 / 2).unwrap();
        let of_bytes = |one: &[u8]| match one.try_into() {
            Ok(eight) => f64::from_le_bytes(eight),
            Err(_) => f64::from(f32::from_le_bytes(one.try_into().unwrap())),
        };
        found.chunks(if call.single { 4 } else { 8 }).map(of_bytes).collect()
    };
    calls.iter().enumerate().map(run).collect()
}

/// Results that are not within the bound, one a line.
fn wrong(calls: &[Call], stage: Stage) -> String {
    let bounds = bounds();
    let mut text = String::new();
    for (call, found) in calls.iter().zip(results(calls, stage)) {
        let bound = bounds[call.function(&bounds)];
        for ((x, y, want), got) in call.points.iter().zip(found) {
            if !bound.holds(*x, got, *want, call.single) {
                let units = units(got, *want, call.single);
                text +=
                    &format!("{} of {x:e}, {y:e}: {got:e}, not {want:e}: {units} units\n", call.expression);
            }
        }
    }
    text
}

/// Results of single or of double precision that are not within the bounds, before and after the passes, of which one contracts products
/// and sums.
fn wrong_of(single: bool) -> String {
    let calls: Vec<Call> = references().into_iter().filter(|call| call.single == single).collect();
    assert!(calls.len() > 60);
    [Stage::Module, Stage::Optimized].map(|stage| wrong(&calls, stage)).concat()
}

#[test]
fn functions_of_single_precision_are_within_the_manuals_bounds() {
    let wrong = wrong_of(true);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn functions_of_double_precision_are_within_the_manuals_bounds() {
    let wrong = wrong_of(false);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_bound_of_the_manual_is_tested() {
    let bounds = bounds();
    let calls = references();
    let tested: BTreeSet<&str> = calls.iter().map(|call| call.function(&bounds)).collect();
    // An instruction, whose error is the hardware's.
    let untested: Vec<&str> = bounds.keys().copied().filter(|name| !tested.contains(name)).collect();
    assert_eq!(untested, ["rsqrtf"]);
}

#[test]
fn a_wrong_result_is_told_from_a_right_one() {
    let exact = Bound { units: 0.0, kind: super::bounds::Kind::Everywhere };
    let next = f64::from_bits(1.5f64.to_bits() + 1);
    assert!(exact.holds(0.0, 1.5, 1.5, false) && !exact.holds(0.0, next, 1.5, false));
    assert!(exact.holds(0.0, f64::NAN, f64::NAN, false) && !exact.holds(0.0, 0.0, f64::NAN, false));
    assert!(!exact.holds(0.0, -0.0, 0.0, false));
    let one = Bound { units: 1.0, ..exact };
    assert!(one.holds(0.0, next, 1.5, false) && !one.holds(0.0, next, 1.5 - f64::EPSILON, false));
    assert!(one.holds(0.0, f64::INFINITY, f64::MAX, false) && !one.holds(0.0, f64::INFINITY, 1e308, false));
}
