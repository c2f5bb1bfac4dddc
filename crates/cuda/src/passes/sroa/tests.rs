use crate::passes::dce;
use crate::passes::test::changed;

fn run(text: &str) -> String {
    changed(text, |function, context| {
        super::run(function, context);
        crate::passes::resolve_operands(function);
        dce::run(function)
    })
}

#[test]
fn fields_of_a_struct_become_values() {
    let text = "function @f(x) -> f32 {\nb0(x: i32):\n  s: ptr.local = slot 8 align 4\n  q: ptr.local = offset s, 4:i64\n  zero 8 align 4 s\n  store.a4 s, x\n  y: f32 = load.a4 q\n  return y\n}";
    assert_eq!(run(text), "function @f(x) -> f32 {\nb0(v0: i32):\n  return 0.0:f32\n}\n");
}

#[test]
fn a_copy_loads_only_the_fields_that_are_read() {
    let text = "function @f(p) -> f32 {\nb0(p: ptr.global):\n  s: ptr.local = slot 16 align 4\n  t: ptr.local = slot 16 align 4\n  copy 16 align 4 s, p\n  copy 16 align 4 t, s\n  q: ptr.local = offset t, 8:i64\n  y: f32 = load.a4 q\n  return y\n}";
    let wanted = "function @f(p) -> f32 {\nb0(v0: ptr.global):\n  v1: ptr.global = offset v0, 8:i64\n  v2: f32 = load.a4 v1\n  return v2\n}\n";
    let after = run(text).replace("load.a8", "load.a4");
    assert_eq!(after, wanted);
}

#[test]
fn an_aligned_struct_is_loaded_as_a_whole_if_two_fields_are_read() {
    let text = |second: &str| {
        format!(
            "function @f(p) -> f32 {{\nb0(p: ptr.global):\n  s: ptr.local = slot 16 align 16\n  copy 16 align 16 s, p\n  q: ptr.local = offset s, 8:i64\n  y: f32 = load.a4 q\n  z: f32 = load.a4 {second}\n  w: f32 = fadd y, z\n  return w\n}}"
        )
    };
    assert!(run(&text("s")).contains("v1: f32, v2: f32, v3: f32, v4: f32 = load.a16"), "{}", run(&text("s")));
    assert!(run(&text("q")).contains("f32 = load.a8 v1"), "{}", run(&text("q")));
}

#[test]
fn halves_of_a_word_are_shifted_out_of_it() {
    let text = "function @f(x) -> i16 {\nb0(x: i32):\n  s: ptr.local = slot 4 align 4\n  store.a4 s, x\n  q: ptr.local = offset s, 2:i64\n  y: i16 = load.a2 q\n  return y\n}";
    let after = run(text);
    assert!(after.contains("lshr v0, 16:i32") && !after.contains("slot"), "{after}");
}

#[test]
fn a_half_that_is_stored_leaves_the_other() {
    let text = "function @f(x, h) -> i32 {\nb0(x: i32, h: i16):\n  s: ptr.local = slot 4 align 4\n  store.a4 s, x\n  q: ptr.local = offset s, 2:i64\n  store.a2 q, h\n  y: i32 = load.a4 s\n  return y\n}";
    let after = run(text);
    assert!(after.contains("and v0, 65535:i32") && !after.contains("slot"), "{after}");
}

#[test]
fn elements_of_an_array_that_are_copied_from_each_other_become_values() {
    let text = |from: u32| {
        format!(
            "function @f(x, z) -> f32 {{\nb0(x: f32, z: f32):\n  s: ptr.local = slot 16 align 8\n  q: ptr.local = offset s, 8:i64\n  r: ptr.local = offset s, {from}:i64\n  store.a8 s, x, z\n  store.a8 q, z, x\n  copy 8 align 4 q, r\n  y: f32 = load.a4 q\n  return y\n}}"
        )
    };
    let wanted = "function @f(x, z) -> f32 {\nb0(v0: f32, v1: f32):\n  return v0\n}\n";
    assert_eq!(run(&text(0)), wanted);
    assert!(run(&text(4)).contains("copy 8"), "what overlaps stays in memory");
}

#[test]
fn an_array_indexed_at_run_time_stays() {
    let text = "function @f(n) -> i32 {\nb0(n: i64):\n  s: ptr.local = slot 64 align 4\n  q: ptr.local = offset s, n\n  store.a4 s, 1:i32\n  y: i32 = load.a4 q\n  return y\n}";
    assert!(run(text).contains("slot 64"));
}

#[test]
fn a_copy_of_a_parameter_that_is_indexed_at_run_time_stays_a_copy() {
    let text = "kernel @k(s bytes 64 align 4, n, p) {\nb0(s: ptr.param, n: i64, p: ptr.global):\n  t: ptr.local = slot 64 align 4\n  copy 64 align 4 t, s\n  q: ptr.local = offset t, n\n  y: i32 = load.a4 q\n  store.a4 p, y\n  return\n}";
    assert!(run(text).contains("copy 64"));
}

#[test]
fn a_copy_of_a_parameter_that_is_only_read_is_the_parameter() {
    let text = "kernel @k(s bytes 64 align 4, n, p) {\nb0(s: ptr.param, n: i64, p: ptr.global):\n  t: ptr.local = slot 64 align 4\n  copy 64 align 4 t, s\n  q: ptr.local = offset t, 8:i64\n  y: i32 = load.a4 q\n  store.a4 p, y\n  return\n}";
    let after = run(text);
    assert!(
        after.contains("offset v0, 8:i64") && !after.contains("slot") && !after.contains("copy"),
        "{after}"
    );
}

#[test]
fn a_copy_of_a_parameter_that_is_written_stays_a_slot() {
    let text = "kernel @k(s bytes 64 align 4, n, p) {\nb0(s: ptr.param, n: i64, p: ptr.global):\n  t: ptr.local = slot 64 align 4\n  copy 64 align 4 t, s\n  q: ptr.local = offset t, n\n  store.a4 q, 1:i32\n  y: i32 = load.a4 t\n  store.a4 p, y\n  return\n}";
    let after = run(text);
    assert!(after.contains("slot 64") && after.contains("copy 64"), "{after}");
}

/// A function that stores two parameters into variables, chooses one of these, and goes on.
fn choice(after: &str) -> String {
    format!(
        "function @f(c, x, y) -> i32 {{\nb0(c: pred, x: i32, y: i32):\n  s: ptr.local = slot 4 align 4\n  t: ptr.local = slot 4 align 4\n  store.a4 s, x\n  store.a4 t, y\n  branch c, b1, b2\nb1:\n  jump b3(s)\nb2:\n  jump b3(t)\nb3(p: ptr.local):\n{after}}}"
    )
}

#[test]
fn a_choice_between_variables_is_one_between_their_values() {
    let after = run(&choice("  z: i32 = load.a4 p\n  return z\n"));
    assert!(
        !after.contains("slot") && after.contains("b3(v3: i32)") && after.contains("jump b3(v1)"),
        "{after}"
    );
    let selected = run(
        "function @f(c, x, y) -> i32 {\nb0(c: pred, x: i32, y: i32):\n  s: ptr.local = slot 4 align 4\n  t: ptr.local = slot 8 align 4\n  u: ptr.local = offset t, 4:i64\n  store.a4 s, x\n  store.a4 u, y\n  p: ptr.local = select c, s, u\n  z: i32 = load.a4 p\n  return z\n}",
    );
    assert_eq!(
        selected,
        "function @f(c, x, y) -> i32 {\nb0(v0: pred, v1: i32, v2: i32):\n  v3: i32 = select v0, v1, v2\n  return v3\n}\n"
    );
}

#[test]
fn a_choice_after_a_choice_is_one_between_values_too() {
    let nested = choice("  branch c, b4(p), b4(t)\nb4(q: ptr.local):\n  z: i32 = load.a4 q\n  return z\n");
    let mut text = nested;
    for _ in 0..2 {
        text = run(&text);
    }
    assert!(!text.contains("slot"), "{text}");
}

#[test]
fn a_struct_that_is_chosen_is_split() {
    let text = "function @f(c, x, y) -> i32 {\nb0(c: pred, x: i32, y: i32):\n  s: ptr.local = slot 12 align 4\n  t: ptr.local = slot 12 align 4\n  r: ptr.local = slot 12 align 4\n  zero 12 align 4 s\n  zero 12 align 4 t\n  s4: ptr.local = offset s, 4:i64\n  t4: ptr.local = offset t, 4:i64\n  store.a4 s4, x\n  store.a4 t4, y\n  branch c, b1, b2\nb1:\n  jump b3(s)\nb2:\n  jump b3(t)\nb3(p: ptr.local):\n  copy 12 align 4 r, p\n  r4: ptr.local = offset r, 4:i64\n  z: i32 = load.a4 r4\n  return z\n}";
    let after = run(text);
    assert!(!after.contains("slot") && after.contains("jump b3(v1)"), "{after}");
}

#[test]
fn a_choice_stays_one_of_addresses_where_something_else_is_done_with_it() {
    for after in [
        "  store.a4 t, 3:i32\n  z: i32 = load.a4 p\n  return z\n",
        "  store.a4 p, 3:i32\n  z: i32 = load.a4 p\n  return z\n",
        "  q: ptr.local = offset p, 4:i64\n  z: i32 = load.a4 q\n  return z\n",
    ] {
        assert!(run(&choice(after)).contains("load.a4"), "{after}");
    }
}

#[test]
fn halves_of_words_that_are_copied_do_not_make_the_access_narrow() {
    let text = "function @f(p, o) -> i16 {\nb0(p: ptr.global, o: ptr.global):\n  s: ptr.local = slot 16 align 16\n  copy 16 align 16 s, p\n  q: ptr.local = offset s, 6:i64\n  r: ptr.local = offset s, 12:i64\n  y: i16 = load.a2 q\n  z: i16 = load.a2 r\n  w: i16 = add y, z\n  store.a2 q, w\n  copy 16 align 16 o, s\n  return w\n}";
    let after = run(text);
    assert!(after.contains("i32, v3: i32, v4: i32, v5: i32 = load.a16 v0"), "{after}");
    assert_eq!((after.matches("load").count(), after.matches("store").count()), (1, 4), "{after}");
    assert!(after.contains("store.a16 v1") && !after.contains("slot"), "{after}");
}

#[test]
fn words_that_are_only_copied_are_as_wide_as_the_scalar_beside_them() {
    let text = "function @f(p, o, z) {\nb0(p: ptr.global, o: ptr.global, z: f32):\n  s: ptr.local = slot 16 align 16\n  copy 16 align 16 s, p\n  q: ptr.local = offset s, 12:i64\n  y: f32 = load.a4 q\n  w: f32 = fadd y, z\n  store.a4 q, w\n  copy 16 align 16 o, s\n  return\n}";
    let after = run(text);
    assert!(after.contains("v3: f32, v4: f32, v5: f32, v6: f32 = load.a16 v0"), "{after}");
    assert!(after.matches("load").count() == 1 && !after.contains(": i64"), "{after}");
}

#[test]
fn a_copy_of_one_half_of_a_word_does_not_keep_the_word_in_memory() {
    let text = "function @f(p, x) {\nb0(p: ptr.global, x: i32):\n  s: ptr.local = slot 4 align 4\n  store.a4 s, x\n  q: ptr.local = offset s, 2:i64\n  copy 2 align 2 p, q\n  return\n}";
    let after = run(text);
    assert!(after.contains("lshr v1, 16:i32") && !after.contains("slot"), "{after}");
}
