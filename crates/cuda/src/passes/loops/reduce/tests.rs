//! What strength reduction does, on the representation's text.

use crate::passes::test::changed;

fn reduced(text: &str) -> String {
    changed(text, |function, _| super::run(function))
}

/// Sum of the elements `p[index]` for i from 0 to n, where the index is made from `i` in a few instructions.
fn sum(index: &str) -> String {
    format!(
        "kernel @k(p, n, w) {{\nb0(p: ptr.global, n: i32, w: i64):\n  jump b1(0:i32, 0:f32)\nb1(i: i32, s: f32):\n{index}  \
         q: ptr.global = offset p, o\n  x: f32 = load.a4 q\n  t: f32 = fadd s, x\n  j: i32 = add.nsw i, 1:i32\n  \
         c: pred = cmp.slt j, n\n  branch c, b1(j, t), b2\nb2:\n  store.a4 p, t\n  return\n}}"
    )
}

/// The loop's block: the one that loads.
fn body(text: &str) -> &str {
    text.split("\nb").find(|block| block.contains("load.a4")).unwrap()
}

#[test]
fn an_address_that_grows_by_a_constant_is_a_pointer() {
    let after = reduced(&sum("  k: i64 = sext i\n  o: i64 = shl k, 2:i32\n"));
    assert!(!body(&after).contains("sext") && body(&after).contains(", 4:i64"), "{after}");
}

#[test]
fn an_address_that_grows_by_a_value_is_a_pointer() {
    let after = reduced(&sum("  k: i64 = sext i\n  m: i64 = mul k, w\n  o: i64 = shl m, 2:i32\n"));
    assert!(!body(&after).contains("mul") && !body(&after).contains("sext"), "{after}");
}

#[test]
fn an_index_that_may_wrap_around_stays() {
    let before = sum("  k: i64 = sext i\n  o: i64 = shl k, 2:i32\n");
    let after = reduced(&before.replace("add.nsw", "add"));
    assert!(body(&after).contains("sext"), "{after}");
    // As an unsigned number, a counter from 0 on that does not overflow as a signed one does not either.
    let unsigned = before.replace("sext", "zext");
    assert!(!body(&reduced(&unsigned)).contains("zext"), "{}", reduced(&unsigned));
    let after = reduced(&unsigned.replace("b1(0:i32,", "b1(n,"));
    assert!(body(&after).contains("zext"), "{after}");
}

#[test]
fn accesses_near_each_other_share_a_pointer() {
    let text = sum("  k: i64 = sext i\n  o: i64 = shl k, 2:i32\n  u: i64 = add o, 8:i64\n  r: ptr.global = offset p, u\n  y: f32 = load.a4 r\n")
        .replace("fadd s, x", "fadd y, x");
    let after = reduced(&text);
    let head = body(&after).lines().next().unwrap();
    assert_eq!(head.matches("ptr.global").count(), 1, "{after}");
    assert!(body(&after).contains("-8:i64"), "{after}");
}

#[test]
fn accesses_a_row_apart_follow_each_other() {
    let text = sum(
        "  k: i64 = sext i\n  m: i64 = mul k, w\n  o: i64 = shl m, 2:i32\n  k1: i64 = add k, 1:i64\n  m1: i64 = mul k1, w\n  \
         o1: i64 = shl m1, 2:i32\n  r: ptr.global = offset p, o1\n  y: f32 = load.a4 r\n",
    )
    .replace("fadd s, x", "fadd y, x");
    let after = reduced(&text);
    let head = body(&after).lines().next().unwrap();
    assert_eq!(head.matches("ptr.global").count(), 1, "{after}");
    assert!(!body(&after).contains("mul"), "{after}");
}

#[test]
fn the_constant_memory_of_a_loop_in_a_loop_keeps_its_index() {
    let text = sum("  k: i64 = sext i\n  o: i64 = shl k, 2:i32\n").replace("ptr.global", "ptr.constant");
    let flat = reduced(&text);
    assert!(!body(&flat).contains("sext"), "{flat}");
    let nested = text.replace("jump b1(", "jump b3\nb3:\n  jump b1(").replace(
        "  store.a4 p, t\n  return",
        "  d: pred = cmp.slt n, 7:i32\n  branch d, b3, b4\nb4:\n  return",
    );
    assert!(body(&reduced(&nested)).contains("sext"), "{}", reduced(&nested));
}

#[test]
fn a_test_looks_at_the_counter_of_the_next_turn() {
    let text = "function @f(n) -> i32 {\nb0(n: i32):\n  jump b1(n, 0:i32)\nb1(i: i32, s: i32):\n  t: i32 = mul s, i\n  j: i32 = add i, -4:i32\n  c: pred = cmp.ne i, 4:i32\n  branch c, b1(j, t), b2\nb2:\n  return t\n}";
    let after = reduced(text);
    assert!(after.contains("0:i32\n  branch") && !after.contains("cmp.ne v1, 4"), "{after}");
}
