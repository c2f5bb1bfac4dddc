//! What run-time unrolling computes, next to what the loop did.

use super::unroll;
use crate::ir::FunctionId;
use crate::ir::parse::parse;
use crate::ir::run::Machine;
use crate::passes::test::changed;

fn replicate(text: &str) -> String {
    changed(text, |function, context| {
        let any = unroll::partial(function, context);
        crate::passes::cfg::run(function);
        crate::passes::dce::run(function);
        any
    })
}

/// Runs a function of two numbers before and after, for many of them.
fn same_for_all(text: &str) -> String {
    let after = replicate(text);
    let (old, new) = (parse(text), parse(&after));
    for n in -2i32..=11 {
        for m in [-3i32, 0, 1, 2, 5, 7] {
            let args = [n as u32 as u64, m as u32 as u64];
            let [expected, found] =
                [&old, &new].map(|module| Machine::new(module).call(FunctionId(0), &args));
            assert_eq!(found, expected, "n = {n}, m = {m}:\n{text}\n{after}");
        }
    }
    after
}

/// `do { s = 31 s + i; i = i + STEP; } while (TEST);` if the test holds first.
fn counting(start: &str, step: &str, first: &str, test: &str) -> String {
    format!(
        "function @f(n, m) -> i32 {{
b0(n: i32, m: i32):
  g: pred = {first}
  branch g, b1({start}, 7:i32), b2(1:i32)
b1(i: i32, s: i32):
  t: i32 = mul s, 31:i32
  u: i32 = add t, i
  j: i32 = add.nsw i, {step}
  p: pred = {test}
  branch p, b1(j, u), b2(u)
b2(r: i32):
  return r
}}"
    )
}

#[test]
fn a_loop_from_a_constant_has_four_turns_in_one_and_the_rest_after_it() {
    let after = same_for_all(&counting("0:i32", "1:i32", "cmp.slt 0:i32, n", "cmp.slt j, n"));
    assert_eq!(after.matches("mul").count(), 5, "{after}");
    assert_eq!(after.matches("cmp.slt").count(), 1, "{after}");
}

#[test]
fn a_loop_from_elsewhere_has_the_rest_before_it() {
    let text = counting("m", "1:i32", "cmp.slt m, n", "cmp.slt j, n").replace("b1(m, 7:i32)", "b1(m, n)");
    let after = same_for_all(&text);
    assert_eq!(after.matches("mul").count(), 5, "{after}");
    // The loop tests its counter as before; an epilogue's loop counts down.
    assert_eq!(after.matches("cmp.slt").count(), 2, "{after}");
}

#[test]
fn steps_and_tests_of_all_kinds_are_counted() {
    for (start, step, first, test) in [
        ("0:i32", "3:i32", "cmp.slt 0:i32, n", "cmp.slt j, n"),
        ("m", "2:i32", "cmp.sle m, n", "cmp.sle j, n"),
        ("n", "-1:i32", "cmp.sgt n, m", "cmp.sgt j, m"),
        ("n", "-2:i32", "cmp.sge n, 0:i32", "cmp.sge j, 0:i32"),
        ("0:i32", "1:i32", "cmp.ne n, 12:i32", "cmp.slt j, n"),
        ("m", "1:i32", "cmp.ne n, 12:i32", "cmp.sgt n, j"),
        ("m", "1:i32", "cmp.ne n, 12:i32", "cmp.slt i, n"),
        ("0:i32", "1:i32", "cmp.ult 0:i32, 3:i32", "cmp.slt j, m"),
        ("5:i32", "1:i32", "cmp.sge n, 6:i32", "cmp.slt j, n"),
        ("0:i32", "1:i32", "cmp.sgt n, 0:i32", "cmp.ne j, n"),
        ("n", "-1:i32", "cmp.sgt n, 0:i32", "cmp.ne j, 0:i32"),
    ] {
        let text = counting(start, step, first, test);
        same_for_all(&text.replace("7:i32), b2", "n), b2"));
        let after = same_for_all(&text);
        assert_eq!(after.matches("mul").count(), 5, "{start} {step} {first} {test}:\n{after}");
    }
}

#[test]
fn a_step_that_is_a_value_is_counted_where_it_cannot_wrap() {
    let text = counting("m", "w", "cmp.slt m, n", "cmp.slt j, n").replace(
        "b0(n: i32, m: i32):",
        "b0(n: i32, m: i32):\n  v: i32 = and m, 3:i32\n  w: i32 = add v, 1:i32",
    );
    let after = same_for_all(&text);
    assert!(after.contains("udiv"), "{after}");
    let wraps = text.replace("add.nsw i", "add i");
    assert_eq!(replicate(&wraps).matches("mul").count(), 1);
}

#[test]
fn a_step_that_may_be_none_is_counted_where_nobody_could_tell_that_the_loop_never_ends() {
    let turns = |step: &str, inst: &str| {
        let loop_ = counting("0:i32", step, "cmp.slt 0:i32, n", "cmp.slt j, n");
        let before = "  k: i32 = and m, 7:i32\n  w: i32 = add.nsw k, 1:i32\n  a: ptr.global = space 64:ptr.generic\n  g:";
        let after =
            replicate(&loop_.replace("  t: i32", &format!("  {inst}\n  t: i32")).replace("  g:", before));
        after.matches("mul").count()
    };
    const BARRIER: &str = "builtin \"__syncthreads v() -\"";
    assert_eq!(turns("m", "store.a4 a, i"), 5);
    assert_eq!(turns("m", "store.a4.volatile a, i"), 1);
    assert_eq!(turns("m", BARRIER), 1);
    assert_eq!(turns("w", BARRIER), 5, "a step of 1 to 8");
    assert_eq!(turns("3:i32", BARRIER), 5);
}

#[test]
fn a_loop_that_may_leave_elsewhere_stays_unless_asked() {
    let text = counting("0:i32", "1:i32", "cmp.slt 0:i32, n", "cmp.slt j, n")
        .replace("  j: i32", "  q: pred = cmp.sgt u, 99:i32\n  branch q, b2(u), b3\nb3:\n  j: i32");
    assert_eq!(replicate(&text).matches("mul").count(), 1);
    let asked = text.replace("b1(i: i32, s: i32):", "b1(i: i32, s: i32) unroll 3:");
    let after = same_for_all(&asked);
    assert_eq!(after.matches("mul").count(), 3, "{after}");
}

#[test]
fn as_many_turns_as_the_source_asks_become_one() {
    for count in [2, 3, 5, 8] {
        let text = counting("0:i32", "1:i32", "cmp.slt 0:i32, n", "cmp.slt j, n")
            .replace("b1(i: i32, s: i32):", &format!("b1(i: i32, s: i32) unroll {count}:"));
        let after = same_for_all(&text);
        assert_eq!(after.matches("mul").count(), count + 1, "{after}");
    }
    let never = counting("0:i32", "1:i32", "cmp.slt 0:i32, n", "cmp.slt j, n")
        .replace("b1(i: i32, s: i32):", "b1(i: i32, s: i32) unroll 1:");
    assert_eq!(replicate(&never).matches("mul").count(), 1);
}

#[test]
fn what_is_left_over_within_another_loop_is_no_loop() {
    for start in ["0:i32", "m"] {
        let text = format!(
            "function @f(n, m) -> i32 {{
b0(n: i32, m: i32):
  jump b1(0:i32, 7:i32)
b1(k: i32, z: i32):
  g: pred = cmp.slt {start}, n
  branch g, b2({start}, z), b3(z)
b2(i: i32, s: i32):
  t: i32 = mul s, 31:i32
  u: i32 = add t, i
  j: i32 = add.nsw i, 1:i32
  p: pred = cmp.slt j, n
  branch p, b2(j, u), b3(u)
b3(r: i32):
  l: i32 = add k, 1:i32
  q: pred = cmp.slt l, 3:i32
  branch q, b1(l, r), b4
b4:
  return r
}}"
        );
        let after = same_for_all(&text);
        assert_eq!(after.matches("mul").count(), 4 + 3, "{after}");
    }
}

#[test]
fn a_known_number_of_turns_that_nothing_divides_keeps_a_test() {
    let text = counting("0:i32", "1:i32", "cmp.slt 0:i32, 101:i32", "cmp.slt j, 101:i32");
    let after = same_for_all(&text);
    assert_eq!(after.matches("mul").count(), 4, "{after}");
    assert_eq!(after.matches("cmp.slt j").count() + after.matches("branch").count(), 2 + 1, "{after}");
}

#[test]
fn a_test_of_the_bound_before_the_loop_is_not_made_again() {
    let after = replicate(&counting("0:i32", "1:i32", "cmp.ne n, 0:i32", "cmp.ult j, n"));
    assert!(!after.contains("select"), "{after}");
    assert_eq!(after.matches("cmp.ult").count(), 1, "{after}");
}

#[test]
fn only_the_rest_is_never_unrolled_again_unless_the_source_says_how_often() {
    let text = counting("0:i32", "1:i32", "cmp.slt 0:i32, n", "cmp.slt j, n");
    let after = replicate(&text);
    assert_eq!((after.matches("unroll done").count(), after.matches("unroll 1").count()), (1, 1), "{after}");
    let asked = replicate(&text.replace("s: i32):", "s: i32) unroll 2:"));
    assert_eq!((asked.matches("unroll done").count(), asked.matches("unroll 1").count()), (0, 2), "{asked}");
}
