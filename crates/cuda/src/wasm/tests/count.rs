//! What a program says that it has executed, and where it ends when nothing is left.

use super::super::site::Fault;
use super::program::{End, Program};
use crate::ir::Module;
use crate::ir::parse::parse;
use crate::ir::verify::verify;

fn module(text: &str) -> Module {
    let module = parse(text);
    assert_eq!(verify(&module), Ok(()), "{text}");
    module
}

/// Operations of a call of `main`.
fn count(text: &str, args: &[u64]) -> i64 {
    let mut program = Program::new(&module(text), &[]);
    program.set_left(1_000_000);
    assert!(matches!(program.call("main", args), End::Returned(_)), "{text}");
    1_000_000 - program.left()
}

/// How `main` ends with that many operations.
fn ended(text: &str, args: &[u64], operations: i64) -> End {
    let mut program = Program::new(&module(text), &[]);
    program.set_left(operations);
    program.call("main", args)
}

const LOOP: &str = "function @main(n) visible -> i32 {\nb0(n: i32):\n  jump b1(0:i32)\nb1(i: i32):\n  c: pred = cmp.slt i, n\n  \
                    branch c, b2, b3\nb2:\n  j: i32 = add i, 1:i32\n  jump b1(j)\nb3:\n  return i\n}\n";

/// Sums of the Fibonacci numbers, by calls alone.
const CALLS: &str = "function @main(n) visible -> i32 {\nb0(n: i32):\n  c: pred = cmp.slt n, 2:i32\n  branch c, b1, b2\nb1:\n  return n\nb2:\n  \
                     p: i32 = sub n, 1:i32\n  x: i32 = call @main p\n  q: i32 = sub n, 2:i32\n  y: i32 = call @main q\n  \
                     r: i32 = add x, y\n  return r\n}\n";

#[test]
fn every_instruction_that_is_executed_counts_and_each_choice() {
    // The function itself, then a comparison, a choice and a sum for each number, and the comparison and the choice at its end.
    assert_eq!(count(LOOP, &[0]), 1 + 2);
    assert_eq!(count(LOOP, &[10]), 1 + 10 * 3 + 2);
}

#[test]
fn what_is_called_counts_for_who_calls_it() {
    let leaf = 2;
    assert_eq!(count(CALLS, &[1]), leaf);
    // Two differences, two calls and a sum.
    assert_eq!(count(CALLS, &[2]), leaf + 5 + 2 * leaf);
    assert_eq!(count(CALLS, &[3]), 2 * (leaf + 5) + 3 * leaf);
}

#[test]
fn bytes_that_are_moved_count() {
    let text = |size: u64| {
        format!(
            "function @main() visible {{\nb0:\n  s: ptr.local = slot {size} align 16\n  t: ptr.local = slot {size} align 16\n  \
             zero {size} align 16 s\n  copy {size} align 16 t, s\n  return\n}}\n"
        )
    };
    assert_eq!(count(&text(4096), &[]) - count(&text(16), &[]), 2 * (4096 - 16) / 16);
}

#[test]
fn a_loop_or_a_recursion_without_operations_left_ends_there() {
    let fault = |text: &str, args: &[u64], operations: i64| {
        matches!(ended(text, args, operations), End::Fault(Fault::Operations, 0, _))
    };
    assert!(fault(LOOP, &[10], 20) && fault(CALLS, &[20], 1000));
    assert_eq!(ended(LOOP, &[10], 33), End::Returned(vec![10]));
    // One in which nothing is done.
    let endless = "function @main() visible {\nb0:\n  jump b1\nb1:\n  jump b1\n}\n";
    assert!(fault(endless, &[], 100_000));
}

#[test]
fn a_loop_with_several_entries_counts_and_ends_too() {
    let text = "function @main(n) visible {\nb0(n: i32):\n  c: pred = cmp.slt n, 50:i32\n  branch c, b1, b2\nb1:\n  jump b2\nb2:\n  jump b1\n}\n";
    assert!(matches!(ended(text, &[3], 1000), End::Fault(Fault::Operations, 0, _)));
}

/// A choice within a function, with what is done either way and afterwards.
const CHOICE: &str = "function @main(n) visible -> i32 {\nb0(n: i32):\n  c: pred = cmp.slt n, 50:i32\n  branch c, b1, b2\nb1:\n  \
                      x: i32 = mul n, n\n  y: i32 = add x, n\n  jump b3(y)\nb2:\n  jump b3(n)\nb3(z: i32):\n  \
                      r: i32 = xor z, 5:i32\n  return r\n}\n";

#[test]
fn each_way_of_a_choice_counts_what_it_does_and_what_follows_counts_once() {
    assert_eq!([count(CHOICE, &[3]), count(CHOICE, &[60])], [2 + 2 + 1, 2 + 1]);
}
