//! Limits hold whichever instructions make the accesses: loads and stores of every attempt at an exercise are rewritten as
//! others that do the same, and what missed a limit must miss one still. By day each attempt is rewritten in one way.
//!
//! `cargo test -p checker nightly:: -- --ignored --nocapture` prints what is found in each solution with each substitute.

use crate::check::{Checked, compiled};
use crate::{Case, Finding};
use exercise::Task;
use std::fmt::Write;

/// Substitutes for loads and stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Substitute {
    /// `atomicAdd(p, 0.0f)` and `atomicOr(p, 0)` for loads of global memory.
    AtomicLoads,
    /// `atomicExch(p, v)` for stores to global memory.
    AtomicStores,
    /// Both.
    Atomics,
    /// Loads and stores of global memory through generic addresses.
    Generic,
    /// The same of shared memory: atomic operations for loads and stores.
    SharedAtomics,
    /// Loads and stores that are volatile.
    Volatile,
}

const ALL: [Substitute; 6] = [
    Substitute::AtomicLoads,
    Substitute::AtomicStores,
    Substitute::Atomics,
    Substitute::Generic,
    Substitute::SharedAtomics,
    Substitute::Volatile,
];

/// A load or store of PTX, in parts.
struct Access<'t> {
    guard: &'t str,
    loads: bool,
    space: &'t str,
    elements: Vec<&'t str>,
    /// Type without its size, and bits.
    ty: (&'t str, u32),
    /// Text in the brackets.
    address: &'t str,
}

impl<'t> Access<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let text = line.trim();
        let (guard, text) = match text.strip_prefix('@') {
            Some(_) => text.split_at(text.find(char::is_whitespace)?),
            None => ("", text),
        };
        let text = text.trim_start().strip_suffix(';')?;
        let (opcode, operands) = text.split_once(char::is_whitespace)?;
        let mut parts = opcode.split('.');
        let loads = match parts.next()? {
            "ld" => true,
            "st" => false,
            _ => return None,
        };
        let space = parts.next().filter(|space| ["global", "shared"].contains(space))?;
        let ty = parts.next_back()?;
        let split = ty.find(|c: char| c.is_ascii_digit())?;
        let bits = ty[split..].parse().ok()?;
        let at = operands.find('[')?..operands.find(']')?;
        let values = if loads { &operands[..at.start] } else { operands.get(at.end + 1..)? };
        let values = values.trim().trim_matches(',').trim().trim_matches(['{', '}']);
        let elements = values.split(',').map(str::trim).collect();
        Some(Access {
            guard,
            loads,
            space,
            elements,
            ty: (&ty[..split], bits),
            address: &operands[at.start + 1..at.end],
        })
    }

    /// An element's address.
    fn at(&self, n: usize) -> String {
        let bytes = n * self.ty.1 as usize / 8;
        match self.address.rsplit_once(['+']) {
            Some((base, offset)) if offset.parse::<usize>().is_ok() => {
                format!("{base}+{}", offset.parse::<usize>().unwrap_or(0) + bytes)
            }
            _ if bytes == 0 => self.address.to_owned(),
            _ => format!("{}+{bytes}", self.address),
        }
    }

    /// The same as atomic operations, one an element; there are none of fewer than four bytes.
    fn atomic(&self) -> Option<String> {
        let Access { guard, space, ty: (kind, bits), .. } = self;
        if *bits < 32 {
            return None;
        }
        let mut out = String::new();
        for (n, element) in self.elements.iter().enumerate() {
            let at = self.at(n);
            let zero = if *bits == 32 { "0f00000000" } else { "0d0000000000000000" };
            match (self.loads, *kind) {
                (true, "f") => write!(out, "{guard} atom.{space}.add.f{bits} {element}, [{at}], {zero}; "),
                (true, _) => write!(out, "{guard} atom.{space}.or.b{bits} {element}, [{at}], 0; "),
                (false, _) => write!(
                    out,
                    "{{ .reg .b{bits} %value, %old; mov.b{bits} %value, {element}; {guard} atom.{space}.exch.b{bits} %old, \
                     [{at}], %value; }} "
                ),
            }
            .ok()?;
        }
        Some(out)
    }
}

impl Substitute {
    /// PTX with substitutes for its loads and stores, line by line.
    fn rewrite(self, ptx: &str) -> String {
        let line = |line: &str| {
            let access = Access::of(line)?;
            let global = access.space == "global";
            match self {
                Substitute::AtomicLoads if global && access.loads => access.atomic(),
                Substitute::AtomicStores if global && !access.loads => access.atomic(),
                Substitute::Atomics if global => access.atomic(),
                Substitute::SharedAtomics if !global => access.atomic(),
                Substitute::Generic if global => {
                    Some(line.replacen(".global.nc", "", 1).replacen(".global", "", 1))
                }
                Substitute::Volatile if !line.contains(".nc") => {
                    Some(line.replacen("ld.", "ld.volatile.", 1).replacen("st.", "st.volatile.", 1))
                }
                _ => None,
            }
        };
        ptx.lines()
            .fold(String::new(), |text, one| text + &line(one).unwrap_or_else(|| one.to_owned()) + "\n")
    }
}

/// Finding for PTX that was made from a source, in the exercise's cases.
fn found(task: &Task, of: &cuda::Output, ptx: &str, reference: &str) -> Option<Finding> {
    Case::shown(&task.exercise).iter().find_map(|case| {
        let checked = Checked { task, case, name: "attempt.cu", ptx, of };
        checked.case(reference).unwrap_or_else(|why| panic!("{}: {why}", task.exercise.name)).finding
    })
}

/// The exercises whose source is kernels.
fn kernels() -> impl Iterator<Item = Task> {
    exercise::all().expect("well-formed").into_iter().filter(|task| task.exercise.program.is_none())
}

/// How many of the attempts that miss a limit were changed by the substitutes that `which` gives for the attempt's number.
fn changed(which: impl Fn(usize) -> Vec<Substitute>) -> usize {
    let mut passes = vec![];
    let (mut attempts, mut changed) = (0, 0);
    for task in kernels() {
        let conditions: Vec<&str> = task.exercise.conditions.iter().map(|one| one.name.as_str()).collect();
        let reference = compiled("reference.cu", &task.reference).ptx;
        for attempt in task.exercise.attempts.iter().filter(|one| conditions.contains(&one.finds.as_str())) {
            let source = task.variants.named(&attempt.variant).expect("there is each");
            let of = compiled("attempt.cu", &source);
            for substitute in which(attempts) {
                let ptx = substitute.rewrite(&of.ptx);
                if ptx.trim_end() == of.ptx.trim_end() {
                    continue;
                }
                changed += 1;
                if found(&task, &of, &ptx, &reference).is_none() {
                    passes.push(format!("{}, {}, {substitute:?}", task.exercise.name, attempt.variant));
                }
            }
            attempts += 1;
        }
    }
    assert!(passes.is_empty(), "these pass: {passes:#?}");
    changed
}

/// Each attempt with one substitute, and each substitute with several attempts.
#[test]
#[ignore = "slow: .ci/run runs it"]
fn no_limit_is_met_by_other_instructions_for_the_same_accesses() {
    let changed = changed(|attempt| vec![ALL[attempt % ALL.len()]]);
    assert!(changed > 15, "{changed}");
}

mod nightly {
    use super::*;

    #[test]
    #[ignore = "nightly: each attempt with all substitutes"]
    fn no_limit_is_met_by_any_other_instructions_for_the_same_accesses() {
        let changed = changed(|_| ALL.to_vec());
        assert!(changed > 100, "{changed}");
    }

    /// A substitute that costs no more than the solution may pass; the table shows the findings of the others.
    #[test]
    #[ignore = "nightly: prints a table"]
    fn solutions_with_other_instructions() {
        println!("| exercise | {ALL:?} |");
        for task in kernels() {
            let reference = compiled("reference.cu", &task.reference).ptx;
            let of = compiled("attempt.cu", &task.variants.solution());
            let mut row = format!("| {} |", task.exercise.name);
            for substitute in ALL {
                let ptx = substitute.rewrite(&of.ptx);
                let same = ptx.trim_end() == of.ptx.trim_end();
                let found = found(&task, &of, &ptx, &reference);
                row += match &found {
                    _ if same => " – |".to_owned(),
                    None => " passes |".to_owned(),
                    Some(finding) => format!(" {} |", finding.name()),
                }
                .as_str();
            }
            println!("{row}");
        }
    }
}
