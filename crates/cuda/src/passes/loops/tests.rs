//! What the passes on loops do, on the representation's text.

use super::{licm, rotate, unroll};
use crate::passes::test::changed;

/// Sum of four elements, as a `while` that tests before each iteration.
const FOUR: &str = "function @f(a) -> i32 {
b0(a: ptr.global):
  jump b1(0:i32, 0:i32)
b1(i: i32, s: i32):
  p: pred = cmp.slt i, 4:i32
  branch p, b2, b3
b2:
  w: i64 = sext i
  o: i64 = mul w, 4:i64
  q: ptr.global = offset a, o
  x: i32 = load.a4 q
  t: i32 = add s, x
  j: i32 = add i, 1:i32
  jump b1(j, t)
b3:
  return s
}";

fn unrolled(text: &str) -> String {
    changed(text, |function, context| {
        let any = unroll::run(function, context);
        crate::passes::cfg::run(function);
        any
    })
}

fn rotated(text: &str) -> String {
    changed(text, |function, _| {
        let any = rotate::run(function);
        crate::passes::cfg::run(function);
        any
    })
}

#[test]
fn a_loop_of_four_turns_becomes_four_copies() {
    let after = unrolled(FOUR);
    assert_eq!(after.matches("load.a4").count(), 4, "{after}");
    assert!(!after.contains("branch"), "{after}");
}

/// Sum of four elements, by a pointer that goes from one to the end.
fn by_pointers(start: &str, end: &str, test: &str) -> String {
    format!(
        "function @f(a, b) -> i32 {{\nb0(a: ptr.global, b: ptr.global):\n  s: ptr.global = offset a, 4:i64\n  e: ptr.global = offset a, 20:i64\n  jump b1({start}, 0:i32)\nb1(p: ptr.global, n: i32):\n  c: pred = cmp.{test} p, {end}\n  branch c, b2, b3\nb2:\n  x: i32 = load.a4 p\n  m: i32 = add n, x\n  q: ptr.global = offset p, 4:i64\n  jump b1(q, m)\nb3:\n  return n\n}}"
    )
}

#[test]
fn a_loop_from_a_pointer_to_another_becomes_copies_where_their_distance_is_known() {
    for (start, end, test, turns) in [("s", "e", "ne", 4), ("a", "s", "ult", 1), ("s", "a", "ult", 0)] {
        let after = unrolled(&by_pointers(start, end, test));
        assert_eq!(after.matches("load.a4").count(), turns, "{after}");
        assert!(!after.contains("branch"), "{after}");
    }
    for (start, end) in [("b", "e"), ("s", "b"), ("s", "0:ptr.global"), ("0:ptr.global", "e")] {
        assert!(unrolled(&by_pointers(start, end, "ne")).contains("branch"), "{start} to {end}");
    }
}

#[test]
fn a_loop_behind_two_ways_that_begin_it_alike_becomes_copies() {
    let behind = |start: &str| {
        let head = format!(
            "@f(a, c) -> i32 {{\nb0(a: ptr.global, c: pred):\n  branch c, b4, b1(0:i32, 0:i32)\nb4:\n  store.a4 a, 7:i32\n  jump b1({start}:i32, 0:i32)"
        );
        FOUR.replace("@f(a) -> i32 {\nb0(a: ptr.global):\n  jump b1(0:i32, 0:i32)", &head)
    };
    let after = unrolled(&behind("0"));
    assert_eq!(after.matches("load.a4").count(), 4, "{after}");
    assert_eq!(unrolled(&behind("1")).matches("load.a4").count(), 1, "the ways have other counts of turns");
}

#[test]
fn a_loop_that_tests_at_its_end_becomes_as_many_copies_as_it_turns() {
    let text = "function @f() -> i32 {\nb0:\n  jump b1(1:i32, 0:i32)\nb1(i: i32, n: i32):\n  j: i32 = mul i, 3:i32\n  m: i32 = add n, 1:i32\n  p: pred = cmp.slt j, 100:i32\n  branch p, b1(j, m), b2\nb2:\n  return m\n}";
    let after = unrolled(text);
    // 3, 9, 27, 81, 243: what the copies count is folded as they are made.
    assert!(after.contains("return 5:i32"), "{after}");
    assert!(!after.contains("branch") && !after.contains("mul"), "{after}");
}

#[test]
fn a_loop_whose_turns_nobody_knows_stays() {
    let text = FOUR
        .replace("@f(a)", "@f(a, n)")
        .replace("b0(a: ptr.global)", "b0(a: ptr.global, n: i32)")
        .replace("4:i32", "n");
    assert!(unrolled(&text).contains("branch"));
}

#[test]
fn a_large_loop_is_unrolled_only_where_the_source_asks() {
    let large = FOUR.replace("4:i32", "200:i32");
    assert!(unrolled(&large).contains("branch"));
    let asked = large.replace("b1(i: i32, s: i32):", "b1(i: i32, s: i32) unroll full:");
    let after = unrolled(&asked);
    assert_eq!(after.matches("load.a4").count(), 200);
}

#[test]
fn a_module_that_has_grown_too_much_is_unrolled_no_more() {
    let after = changed(FOUR, |function, context| {
        context.room.store(10, std::sync::atomic::Ordering::Relaxed);
        unroll::run(function, context)
    });
    assert!(after.contains("branch"), "{after}");
}

#[test]
fn a_way_out_of_the_middle_is_kept_in_each_copy() {
    let text = "function @f(a) -> i32 {\nb0(a: ptr.global):\n  jump b1(0:i32)\nb1(i: i32):\n  p: pred = cmp.slt i, 3:i32\n  branch p, b2, b4(7:i32)\nb2:\n  x: i32 = load.a4 a\n  q: pred = cmp.eq x, i\n  branch q, b4(x), b3\nb3:\n  j: i32 = add i, 1:i32\n  jump b1(j)\nb4(r: i32):\n  return r\n}";
    let after = unrolled(text);
    // The last one leads to the same place either way.
    assert_eq!((after.matches("cmp").count(), after.matches("branch").count()), (3, 2), "{after}");
}

#[test]
fn loops_within_loops_are_unrolled_from_within() {
    let text = "function @f(x) -> i32 {\nb0(x: i32):\n  jump b1(0:i32, x)\nb1(i: i32, s: i32):\n  p: pred = cmp.slt i, 3:i32\n  branch p, b2(0:i32, s), b5\nb2(k: i32, t: i32):\n  q: pred = cmp.slt k, 2:i32\n  branch q, b3, b4\nb3:\n  u: i32 = mul t, 5:i32\n  l: i32 = add k, 1:i32\n  jump b2(l, u)\nb4:\n  j: i32 = add i, 1:i32\n  jump b1(j, t)\nb5:\n  return s\n}";
    let after = unrolled(text);
    assert_eq!(after.matches("mul").count(), 6, "{after}");
    assert!(!after.contains("branch"), "{after}");
}

#[test]
fn variables_of_unrolled_loops_are_values_before_a_loop_around_them_is_copied() {
    let text = "function @f(x) -> i32 {\nb0(x: i32):\n  s: ptr.local = slot 16 align 4\n  zero 16 align 4 s\n  jump b1(0:i32)\nb1(i: i32) unroll full:\n  p: pred = cmp.slt i, 100:i32\n  branch p, b2(0:i32), b5\nb2(k: i32) unroll full:\n  q: pred = cmp.slt k, 4:i32\n  branch q, b3, b4\nb3:\n  w: i64 = sext k\n  o: i64 = mul w, 4:i64\n  a: ptr.local = offset s, o\n  t: i32 = load.a4 a\n  u: i32 = mul t, x\n  store.a4 a, u\n  l: i32 = add k, 1:i32\n  jump b2(l)\nb4:\n  j: i32 = add i, 1:i32\n  jump b1(j)\nb5:\n  r: i32 = load.a4 s\n  return r\n}";
    changed(text, |function, context| {
        unroll::run(function, context);
        assert!(function.size() < 500 && function.insts.len() < 700, "{function:?}");
        true
    });
}

#[test]
fn a_rotated_loop_tests_before_it_and_at_its_end() {
    let text = FOUR
        .replace("@f(a)", "@f(a, n)")
        .replace("b0(a: ptr.global)", "b0(a: ptr.global, n: i32)")
        .replace("4:i32", "n");
    let after = rotated(&text);
    assert_eq!(after.matches("cmp.slt").count(), 2, "{after}");
    let again = rotated(&after);
    assert_eq!(again.matches("cmp.slt").count(), 2, "{again}");
}

#[test]
fn what_no_turn_changes_is_computed_before_the_loop() {
    let text = "function @f(a, n) -> i32 {\nb0(a: ptr.global, n: i32):\n  jump b1(0:i32, 0:i32)\nb1(i: i32, s: i32):\n  m: i32 = mul n, n\n  t: i32 = add s, m\n  j: i32 = add i, 1:i32\n  p: pred = cmp.slt j, n\n  branch p, b1(j, t), b2\nb2:\n  return t\n}";
    let after = changed(text, licm::run);
    let (before, _) = after.split_once("b1(").unwrap();
    assert!(before.contains("mul"), "{after}");
}

/// A loop that adds what `a` leads to, and stores to `c`.
const ADDS: &str = "function @f(a, c, n) -> i32 {
b0(a: ptr.global, c: ptr.global, n: i32):
  jump b1(0:i32, 0:i32)
b1(i: i32, s: i32):
  x: i32 = load.a4 a
  store.a4 c, s
  t: i32 = add s, x
  j: i32 = add i, 1:i32
  p: pred = cmp.slt j, n
  branch p, b1(j, t), b2
b2:
  return t
}";

fn hoisted(text: &str) -> bool {
    let after = changed(text, licm::run);
    after.split_once("b1(").is_some_and(|(before, _)| before.contains("load"))
}

#[test]
fn a_load_stays_where_a_store_may_change_what_it_reads() {
    assert!(!hoisted(ADDS));
}

#[test]
fn a_load_moves_where_the_store_goes_elsewhere() {
    let elsewhere = ADDS.replace("c: ptr.global", "c: ptr.shared");
    assert!(hoisted(&elsewhere));
}

#[test]
fn a_load_of_a_slot_stays_where_a_store_goes_to_one_of_two() {
    let text = "function @f(c, n) -> i32 {\nb0(c: pred, n: i32):\n  a: ptr.local = slot 4 align 4\n  b: ptr.local = slot 4 align 4\n  store.a4 a, n\n  store.a4 b, n\n  jump b1(0:i32)\nb1(i: i32):\n  x: i32 = load.a4 a\n  q: ptr.local = select c, a, b\n  store.a4 q, i\n  j: i32 = add i, x\n  p: pred = cmp.slt j, n\n  branch p, b1(j), b2\nb2:\n  return j\n}";
    assert!(!hoisted(text));
}

#[test]
fn a_load_that_some_turns_leave_out_stays() {
    let text = "function @f(a, n) -> i32 {\nb0(a: ptr.global, n: i32):\n  jump b1(0:i32)\nb1(i: i32):\n  q: pred = cmp.slt i, 7:i32\n  branch q, b2, b3(0:i32)\nb2:\n  x: i32 = load.a4 a\n  jump b3(x)\nb3(y: i32):\n  j: i32 = add i, y\n  p: pred = cmp.slt j, n\n  branch p, b1(j), b4\nb4:\n  return j\n}";
    assert!(!hoisted(text));
}

#[test]
fn a_large_loop_has_several_turns_in_one() {
    let after = changed(&FOUR.replace("4:i32", "256:i32"), |function, context| {
        rotate::run(function);
        crate::passes::cfg::run(function);
        let any = unroll::partial(function, context);
        crate::passes::cfg::run(function);
        any
    });
    assert_eq!(after.matches("load.a4").count(), 32, "{after}");
    // The test before the loop is known to hold.
    assert_eq!(after.matches("branch").count(), 1, "{after}");
    assert!(after.contains("return"), "{after}");
}

#[test]
fn a_function_of_very_many_loops_keeps_them_as_they_are() {
    let loops = |count: usize| {
        let mut text = "function @f(n) {\nb0(n: i32):\n  jump b1(0:i32)\n".to_owned();
        for at in (1..=2 * count).step_by(2) {
            let (body, out) = (at + 1, at + 2);
            let next = if at + 1 == 2 * count { "" } else { "(0:i32)" };
            text += &format!(
                "b{at}(i{at}: i32):\n  p{at}: pred = cmp.slt i{at}, n\n  branch p{at}, b{body}, b{out}{next}\n\
                 b{body}:\n  j{at}: i32 = add i{at}, 1:i32\n  jump b{at}(j{at})\n"
            );
        }
        text + &format!("b{}:\n  return\n}}", 2 * count + 1)
    };
    let ends = |text: &str| rotated(text).matches("branch").count();
    // A rotated loop has a test before it and one at its end.
    assert_eq!(ends(&loops(2)), 4);
    assert_eq!(ends(&loops(401)), 401);
}

/// A loop that is asked to be unrolled, with these tests: at its start, and after a store.
fn asked(start: &str, middle: &str) -> String {
    format!(
        "kernel @k(p, n) {{\nb0(p: ptr.global, n: i32):\n  m: i32 = and n, 7:i32\n  jump b1(0:i32)\nb1(i: i32) unroll full:\n  c: pred = cmp.slt {start}\n  branch c, b2, b4\nb2:\n  store.a4 p, i\n  d: pred = cmp.eq {middle}\n  branch d, b4, b3\nb3:\n  j: i32 = add i, 1:i32\n  jump b1(j)\nb4:\n  return\n}}\n"
    )
}

#[test]
fn a_test_in_the_middle_says_how_often_a_loop_turns_at_most() {
    let after = unrolled(&asked("i, n", "i, 5:i32"));
    assert_eq!(after.matches("store").count(), 6, "{after}");
    // The other test stays.
    assert_eq!(after.matches("cmp.slt").count(), 6, "{after}");
    let unknown = unrolled(&asked("i, n", "i, n"));
    assert_eq!(unknown.matches("store").count(), 1, "{unknown}");
}

#[test]
fn a_bound_that_is_small_says_how_often_a_loop_turns_at_most() {
    let after = unrolled(&asked("i, m", "i, n"));
    assert_eq!(after.matches("store").count(), 7, "{after}");
    // One that does not count up to it says nothing.
    let down = unrolled(&asked("m, i", "i, n"));
    assert_eq!(down.matches("store").count(), 1, "{down}");
}
