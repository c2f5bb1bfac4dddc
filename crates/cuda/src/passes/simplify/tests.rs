use crate::passes::test::changed;

/// Text of what a function of `x`, `y` (32 bits), `f`, `g` (floats) and `m` (global) computes, after its head.
fn simplified(result: &str, body: &str) -> String {
    let text = format!(
        "function @f(x, y, f, g, m) -> {result} {{\nb0(x: i32, y: i32, f: f32, g: f32, m: ptr.global):\n{body}\n}}"
    );
    let after = changed(&text, super::run);
    let body = after.split_once("):\n").map_or("", |(_, body)| body);
    body.trim_end_matches("}\n").lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

#[test]
fn constants_are_folded_and_stand_on_the_right() {
    assert_eq!(
        simplified("i32", "  a: i32 = add 2:i32, 3:i32\n  b: i32 = mul a, x\n  return b"),
        "v5: i32 = mul v0, 5:i32; return v5"
    );
}

#[test]
fn the_least_and_the_greatest_of_floats_keep_their_order() {
    for op in ["fmin", "fmax"] {
        assert_eq!(
            simplified("f32", &format!("  a: f32 = {op} -0.0:f32, f\n  return a")),
            format!("v5: f32 = {op} -0.0:f32, v2; return v5")
        );
    }
}

#[test]
fn sums_of_constants_meet() {
    let body =
        "  a: i32 = add.nsw x, 3:i32\n  b: i32 = add.nsw a, 4:i32\n  c: i32 = sub b, 7:i32\n  return c";
    assert_eq!(simplified("i32", body), "return v0");
}

#[test]
fn a_promise_that_the_sum_of_constants_breaks_is_given_up() {
    let body = "  a: i32 = add.nsw x, 2147483647:i32\n  b: i32 = add.nsw a, 1:i32\n  return b";
    assert_eq!(simplified("i32", body), "v5: i32 = add v0, -2147483648:i32; return v5");
}

#[test]
fn products_by_powers_of_two_are_shifts_and_unsigned_quotients_too() {
    assert_eq!(
        simplified("i32", "  a: i32 = mul.nsw x, 8:i32\n  return a"),
        "v5: i32 = shl.nsw v0, 3:i32; return v5"
    );
    assert_eq!(
        simplified("i32", "  a: i32 = udiv x, 8:i32\n  return a"),
        "v5: i32 = lshr v0, 3:i32; return v5"
    );
    assert_eq!(
        simplified("i32", "  a: i32 = urem x, 8:i32\n  return a"),
        "v5: i32 = and v0, 7:i32; return v5"
    );
    assert_eq!(
        simplified("i32", "  a: i32 = sdiv x, 8:i32\n  return a"),
        "v5: i32 = sdiv v0, 8:i32; return v5"
    );
}

#[test]
fn a_signed_quotient_of_what_is_not_negative_is_unsigned() {
    let body = "  t: i32 = builtin \"__builtin_threadIdx_x u() -\"\n  a: i32 = srem t, 32:i32\n  return a";
    if crate::builtin::overloads("__builtin_threadIdx_x").next().is_some() {
        assert!(simplified("i32", body).contains("and v5, 31:i32"));
    }
    let body = "  t: i32 = and x, 255:i32\n  a: i32 = sdiv t, 4:i32\n  return a";
    assert_eq!(simplified("i32", body), "v5: i32 = and v0, 255:i32; v6: i32 = lshr v5, 2:i32; return v6");
}

#[test]
fn comparisons_are_strict_and_lose_their_sums() {
    let body = "  a: i32 = add.nsw x, 5:i32\n  p: pred = cmp.sle a, 9:i32\n  r: i32 = select p, 1:i32, 0:i32\n  return r";
    assert_eq!(simplified("i32", body), "v5: pred = cmp.slt v0, 5:i32; v6: i32 = zext v5; return v6");
}

#[test]
fn a_wrapping_sum_is_not_taken_out_of_a_comparison() {
    let body = "  a: i32 = add x, 5:i32\n  p: pred = cmp.slt a, 9:i32\n  r: i32 = zext p\n  return r";
    assert!(simplified("i32", body).contains("add v0, 5:i32; v6: pred = cmp.slt v5, 9:i32"));
}

#[test]
fn the_least_and_the_greatest_number_limit_nothing_or_decide() {
    let with =
        |op: &str, bits: &str| simplified("i32", &format!("  a: i32 = {op} x, {bits}:i32\n  return a"));
    let itself = simplified("i32", "  return x");
    let number = |bits: &str| simplified("i32", &format!("  return {bits}:i32"));
    let [least, greatest] = ["-2147483648", "2147483647"];
    for (op, stays, decides) in
        [("umax", "0", "-1"), ("umin", "-1", "0"), ("smax", least, greatest), ("smin", greatest, least)]
    {
        assert_eq!(with(op, stays), itself, "{op} {stays}");
        assert_eq!(with(op, decides), number(decides), "{op} {decides}");
        assert!(with(op, "1").contains(op), "{op}");
    }
}

#[test]
fn a_truth_value_that_went_through_an_integer_is_itself() {
    let body = "  p: pred = cmp.slt x, y\n  a: i32 = zext p\n  q: pred = cmp.eq a, 0:i32\n  r: i32 = select q, x, y\n  return r";
    assert_eq!(simplified("i32", body), "v5: i32 = smax v1, v0; return v5");
}

#[test]
fn floats_keep_their_bits() {
    let same = |body: &str| assert!(simplified("f32", body).contains("fadd v2, 0.0:f32"));
    same("  a: f32 = fadd f, 0.0:f32\n  return a");
    assert_eq!(simplified("f32", "  a: f32 = fadd f, -0.0:f32\n  return a"), "return v2");
    assert_eq!(
        simplified("f32", "  a: f32 = fmul f, 0.0:f32\n  return a"),
        "v5: f32 = fmul v2, 0.0:f32; return v5"
    );
    assert_eq!(
        simplified("f32", "  a: f32 = fdiv f, 8.0:f32\n  return a"),
        "v5: f32 = fmul v2, 0.125:f32; return v5"
    );
    assert_eq!(
        simplified("f32", "  a: f32 = fdiv f, 3.0:f32\n  return a"),
        "v5: f32 = fdiv v2, 3.0:f32; return v5"
    );
}

#[test]
fn a_double_between_two_floats_is_not_needed() {
    let body = "  a: f64 = float f\n  b: f64 = fmul a, 0.5:f64\n  c: f32 = float b\n  return c";
    assert_eq!(simplified("f32", body), "v5: f32 = fmul v2, 0.5:f32; return v5");
    let body = "  a: f64 = float f\n  b: f64 = fmul a, 0.1:f64\n  c: f32 = float b\n  return c";
    assert!(simplified("f32", body).contains("f64 = fmul"));
}

#[test]
fn the_constant_of_an_index_is_the_last_offset() {
    let body = "  i: i32 = add.nsw x, 3:i32\n  j: i64 = sext i\n  k: i64 = shl j, 2:i32\n  q: ptr.global = offset m, k\n  r: f32 = load.a4 q\n  return r";
    let wanted = "v5: i64 = sext v0; v6: i64 = shl v5, 2:i32; v7: ptr.global = offset v4, v6; v8: ptr.global = offset v7, 12:i64; v9: f32 = load.a4 v8; return v9";
    assert_eq!(simplified("f32", body), wanted);
}

#[test]
fn the_constant_of_an_index_that_may_wrap_stays_in_it() {
    let body = "  i: i32 = add x, 3:i32\n  j: i64 = zext i\n  q: ptr.global = offset m, j\n  r: f32 = load.a4 q\n  return r";
    assert!(simplified("f32", body).contains("zext v5; v7: ptr.global = offset v4, v6; v8: f32 = load"));
}

#[test]
fn a_constant_in_the_module_is_not_loaded() {
    let text = "global @t constant 8 align 4 element i32 array readonly = \"0100000002000000\"\nfunction @f() -> i32 {\nb0:\n  g: ptr.constant = global @t\n  h: ptr.constant = offset g, 4:i64\n  x: i32 = load.a4 h\n  return x\n}";
    assert!(changed(text, super::run).contains("return 2:i32"));
}

#[test]
fn a_float_is_neither_less_nor_greater_than_itself() {
    let compared = |op: &str| {
        simplified(
            "i32",
            &format!("  p: pred = cmp.{op} f, f\n  r: i32 = select p, 5:i32, 7:i32\n  return r"),
        )
    };
    for op in ["folt", "fogt", "fone"] {
        assert_eq!(compared(op), "return 7:i32", "{op}");
    }
    for op in ["fule", "fuge", "fueq"] {
        assert_eq!(compared(op), "return 5:i32", "{op}");
    }
    for op in ["foeq", "fole", "foge"] {
        assert!(compared(op).contains("cmp.ford v2, v2"), "{op}");
    }
    for op in ["fune", "fult", "fugt"] {
        assert!(compared(op).contains("cmp.funo v2, v2"), "{op}");
    }
}

#[test]
fn pointers_that_are_counted_from_one_have_a_distance() {
    let difference = |first: &str| {
        simplified(
            "i64",
            &format!(
                "  w: i64 = sext x\n  p: ptr.global = offset m, 8:i64\n  v: ptr.global = offset m, w\n  q: ptr.global = offset {first}, 20:i64\n  a: i64 = bits q\n  b: i64 = bits p\n  d: i64 = sub a, b\n  return d"
            ),
        )
    };
    assert_eq!(difference("m"), "return 12:i64");
    assert_eq!(difference("v"), "v5: i64 = sext v0; v6: i64 = add v5, 12:i64; return v6");
    for (op, holds) in [("eq", 0), ("ne", 1), ("ult", 1), ("uge", 0)] {
        let body = format!(
            "  p: ptr.global = offset m, 8:i64\n  q: ptr.global = offset m, 20:i64\n  c: pred = cmp.{op} p, q\n  d: i32 = select c, 1:i32, 0:i32\n  return d"
        );
        assert_eq!(simplified("i32", &body), format!("return {holds}:i32"), "{op}");
    }
}
