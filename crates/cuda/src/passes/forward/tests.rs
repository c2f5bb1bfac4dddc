use crate::passes::test::changed;
use crate::passes::{dce, simplify};

fn run(text: &str) -> String {
    changed(text, |function, context| {
        super::run(function, context);
        dce::run(function);
        simplify::run(function, context)
    })
}

fn loads(text: &str) -> usize {
    let after = run(text);
    after.matches("load").count()
}

#[test]
fn what_was_stored_is_not_loaded() {
    let text = |second: &str| {
        format!(
            "kernel @k(p, q, x) {{\nb0(p: ptr.global, q: ptr.global, x: i32):\n  store.a4 p, x\n  {second}\n  y: i32 = load.a4 p\n  store.a4 q, y\n  return\n}}"
        )
    };
    assert_eq!(loads(&text("")), 0);
    assert_eq!(loads(&text("store.a4 q, 1:i32")), 1);
    assert_eq!(loads(&text("builtin \"__syncthreads v() -\"")), 1);
}

#[test]
fn what_nobody_writes_is_loaded_once_whatever_orders_memory_between() {
    let loads = |params: &str, between: &str| {
        loads(&format!(
            "kernel @k({params}) {{\nb0(p: ptr.global, q: ptr.global, x: i32):\n  a: i32 = load.a4.invariant p\n  store.a4 q, a\n  {between}\n  b: i32 = load.a4.invariant p\n  c: i32 = add b, x\n  store.a4 q, c\n  return\n}}"
        ))
    };
    let barrier = "builtin \"__syncthreads v() -\"";
    assert_eq!(loads("p restrict, q, x", barrier), 1);
    // Kept apart by the other one only: NVRTC loads it again.
    assert_eq!(loads("p, q restrict, x", barrier), 2);
    let handed_on = format!("store.a8 q, p\n  {barrier}");
    assert_eq!(loads("p restrict, q, x", &handed_on), 2);
}

#[test]
fn loads_on_both_ways_are_not_repeated_behind_them() {
    let text = "kernel @k(p, q, c) {\nb0(p: ptr.global, q: ptr.shared, c: pred):\n  branch c, b1, b2\nb1:\n  x: i32 = load.a4 p\n  store.a4 q, x\n  jump b3\nb2:\n  store.a4 p, 7:i32\n  jump b3\nb3:\n  y: i32 = load.a4 p\n  store.a4 q, y\n  return\n}";
    let after = run(text);
    assert_eq!(after.matches("load").count(), 1, "{after}");
    assert!(after.contains("(7:i32)"), "{after}");
}

#[test]
fn a_load_that_one_way_needs_moves_there() {
    let text = "kernel @k(p, q, c) {\nb0(p: ptr.shared, q: ptr.global, c: pred):\n  branch c, b1, b3\nb1:\n  store.a4 p, 7:i32\n  jump b3\nb3:\n  y: i32 = load.a4 p\n  store.a4 q, y\n  return\n}";
    let after = run(text);
    assert_eq!(after.matches("load").count(), 1, "{after}");
    assert!(after.contains("(7:i32)"), "{after}");
}

#[test]
fn an_accumulator_in_memory_is_loaded_once_before_its_loop() {
    let text = "kernel @k(p, n) {\nb0(p: ptr.global, n: i32):\n  jump b1(0:i32)\nb1(i: i32):\n  x: i32 = load.a4 p\n  y: i32 = add x, i\n  store.a4 p, y\n  j: i32 = add i, 1:i32\n  c: pred = cmp.slt j, n\n  branch c, b1(j), b2\nb2:\n  return\n}";
    let after = run(text);
    let (entry, body) = after.split_once("b1(").unwrap();
    assert!(entry.contains("load") && !body.contains("load") && body.contains("store"), "{after}");
}

#[test]
fn a_float_stored_and_loaded_as_integer_is_its_bits() {
    let text = "kernel @k(p, q, f) {\nb0(p: ptr.global, q: ptr.shared, f: f32):\n  store.a4 p, f\n  x: i32 = load.a4 p\n  y: i32 = add x, 1:i32\n  store.a4 q, y\n  return\n}";
    assert!(run(text).contains("i32 = bits v2"));
}

#[test]
fn a_store_of_what_was_loaded_there_is_left_out() {
    let text = "kernel @k(p) {\nb0(p: ptr.global):\n  x: i32 = load.a4 p\n  store.a4 p, x\n  return\n}";
    assert!(!run(text).contains("store"));
}
