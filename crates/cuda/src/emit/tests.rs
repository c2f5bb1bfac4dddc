//! PTX for functions in textual form.

use super::{Target, emit};
use crate::ir::Linkage;
use crate::ir::parse::parse;
use crate::options::Arch;
use crate::source::Sources;

/// PTX of a module for an architecture.
fn ptx(arch: u32, text: &str) -> String {
    let target =
        Target { arch: Arch { number: arch, suffix: None }, fmad: true, fast_math: false, lines: false };
    emit(parse(text), &Sources::default(), target).expect("PTX").0
}

/// Instructions of the last function of a module: what follows its declarations.
fn body(text: &str) -> String {
    let all = ptx(52, text);
    let last = all.rsplit("\n{\n").next().unwrap_or_default();
    let lines = last.trim_end().trim_end_matches('}').lines();
    let kept = lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(".reg"));
    kept.map(|line| line.replace(" \t", " ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_kernel_is_an_entry_with_its_parameters() {
    let text = ptx(52, "kernel @k(a, n) {\nb0(a: ptr.generic, n: i32):\n  return\n}");
    assert!(text.contains(".version 7.8\n.target sm_52\n.address_size 64\n"), "{text}");
    let head = ".visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u32 k_param_1\n)\n{\n\tret;\n}\n";
    assert!(text.contains(head), "{text}");
}

#[test]
fn the_linkage_of_a_kernel_is_said_before_it() {
    for (linkage, word) in [
        (Linkage::Visible, ".visible .entry k("),
        (Linkage::Weak, ".weak .entry k("),
        (Linkage::Internal, "\n.entry k("),
    ] {
        let mut module = parse("kernel @k() {\nb0:\n  return\n}");
        module.functions[0].linkage = linkage;
        let target =
            Target { arch: Arch { number: 52, suffix: None }, fmad: true, fast_math: false, lines: false };
        let (text, _) = emit(module, &Sources::default(), target).expect("PTX");
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn a_kernel_with_large_parameters_needs_a_later_version() {
    let text = "kernel @k(s bytes 8000 align 4) {\nb0(s: ptr.param):\n  return\n}";
    assert!(ptx(70, text).contains(".version 8.1\n"));
}

#[test]
fn constant_distances_are_part_of_addresses() {
    let text = "kernel @k(a) {\nb0(a: ptr.global):\n  p: ptr.global = offset a, 8:i64\n  q: ptr.global = offset p, 4:i64\n  \
                x: f32 = load.a4 q\n  store.a4 p, x\n  return\n}";
    let wanted =
        "ld.param.u64 %rd1, [k_param_0];\nld.global.f32 %f1, [%rd1+12];\nst.global.f32 [%rd1+8], %f1;\nret;";
    assert_eq!(body(text), wanted);
}

#[test]
fn bytes_and_words_of_16_bits_share_no_register_of_a_constant() {
    let text = "kernel @k(a) {\nb0(a: ptr.global):\n  store.a1 a, 132:i8\n  p: ptr.global = offset a, 2:i64\n  \
                store.a2 p, 132:i16\n  return\n}";
    let body = body(text);
    assert!(body.contains("mov.u16 %rs1, -124;\nst.global.u8 [%rd1], %rs1;"), "{body}");
    assert!(body.contains("mov.u16 %rs2, 132;\nst.global.u16 [%rd1+2], %rs2;"), "{body}");
}

#[test]
fn variables_are_addressed_by_name() {
    let text = "global @v global 8 align 4 element i32 array visible = \"0000000007000000\"\nkernel @k() {\nb0:\n  \
                p: ptr.global = global @v\n  q: ptr.global = offset p, 4:i64\n  x: i32 = load.a4 q\n  store.a4 p, x\n  return\n}";
    assert_eq!(body(text), "ld.global.u32 %r1, [v+4];\nst.global.u32 [v], %r1;\nret;");
    assert!(ptx(52, text).contains(".global .align 4 .b8 v[8] = {0, 0, 0, 0, 7};"));
}

#[test]
fn shared_memory_of_one_kernel_is_declared_within_it() {
    let text = "global @t shared 64 align 4 element f32 array\nkernel @k() {\nb0:\n  p: ptr.shared = global @t\n  \
                store.a4 p, 1.0:f32\n  return\n}";
    assert_eq!(
        body(text),
        ".shared .align 4 .b8 t[64];\nmov.f32 %f1, 0f3F800000;\nst.shared.f32 [t], %f1;\nret;"
    );
}

#[test]
fn contents_with_addresses_are_words() {
    let text = "global @a global 4 align 4 element i32 visible\nglobal @p global 16 align 8 element i64 array visible \
                = \"01000000000000000000000000000000\", 8: @a + 4\nkernel @k() {\nb0:\n  return\n}";
    assert!(ptx(52, text).contains(".global .align 8 .u64 p[2] = {1, generic(a)+4};"), "{}", ptx(52, text));
    let short = text.replace("01000000000000000000000000000000", "01");
    assert!(ptx(52, &short).contains("p[2] = {1, generic(a)+4};"), "{}", ptx(52, &short));
}

#[test]
fn a_loop_updates_its_variables_in_place() {
    let text = "kernel @k(a, n) {\nb0(a: ptr.global, n: i32):\n  jump b1(0:i32, 0.0:f32)\nb1(i: i32, s: f32):\n  \
                x: f32 = load.a4 a\n  t: f32 = fadd s, x\n  j: i32 = add i, 1:i32\n  p: pred = cmp.slt j, n\n  \
                branch p, b1(j, t), b2\nb2:\n  store.a4 a, t\n  return\n}";
    let wanted = "ld.param.u64 %rd1, [k_param_0];\nld.param.u32 %r1, [k_param_1];\nmov.u32 %r2, 0;\nmov.f32 %f1, 0f00000000;\n\
                  $L__BB0_1:\nld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s32 %r2, %r2, 1;\n\
                  setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $L__BB0_1;\nst.global.f32 [%rd1], %f1;\nret;";
    assert_eq!(body(text), wanted);
}

#[test]
fn variables_that_change_places_are_kept_aside() {
    let text = "kernel @k(a, n) {\nb0(a: ptr.global, n: i32):\n  jump b1(1:i32, 2:i32)\nb1(x: i32, y: i32):\n  \
                store.a4 a, x\n  p: pred = cmp.slt y, n\n  branch p, b1(y, x), b2\nb2:\n  return\n}";
    let text = body(text);
    assert!(text.contains("mov.u32 %r4, %r3;\nmov.u32 %r3, %r2;\nmov.u32 %r2, %r4;"), "{text}");
}

#[test]
fn a_branch_over_a_block_is_taken_where_the_comparison_fails() {
    let text = "kernel @k(a, n) {\nb0(a: ptr.global, n: i32):\n  p: pred = cmp.slt n, 5:i32\n  branch p, b1, b2\nb1:\n  \
                store.a4 a, n\n  jump b2\nb2:\n  return\n}";
    let wanted = "ld.param.u64 %rd1, [k_param_0];\nld.param.u32 %r1, [k_param_1];\nsetp.ge.s32 %p1, %r1, 5;\n\
                  @%p1 bra $L__BB0_2;\nst.global.u32 [%rd1], %r1;\n$L__BB0_2:\nret;";
    assert_eq!(body(text), wanted);
}

#[test]
fn products_of_extended_numbers_are_wide_and_of_sums_multiplied_and_added() {
    let text = "kernel @k(a, n) {\nb0(a: ptr.global, n: i32):\n  m: i32 = mul n, 7:i32\n  t: i32 = add m, n\n  w: i64 = sext t\n  \
                o: i64 = shl w, 2:i32\n  p: ptr.global = offset a, o\n  store.a4 p, t\n  return\n}";
    let wanted = "ld.param.u64 %rd1, [k_param_0];\nld.param.u32 %r1, [k_param_1];\nmad.lo.s32 %r2, %r1, 7, %r1;\n\
                  mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r2;\nret;";
    assert_eq!(body(text), wanted);
}

#[test]
fn loads_extend_and_stores_truncate() {
    let text = "kernel @k(a) {\nb0(a: ptr.global):\n  x: i8 = load.a1 a\n  y: i32 = sext x\n  z: i32 = add y, 1:i32\n  \
                t: i16 = trunc z\n  store.a2 a, t\n  return\n}";
    let wanted = "ld.param.u64 %rd1, [k_param_0];\nld.global.s8 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\n\
                  st.global.u16 [%rd1], %r2;\nret;";
    assert_eq!(body(text), wanted);
}

/// ptxas takes another value for the upper half of what `cvt.s16.s8` makes of a constant that a called function returns.
#[test]
fn a_signed_byte_becomes_16_bits_by_way_of_32() {
    let text = "kernel @k(a) {\nb0(a: ptr.global):\n  b: i32 = load.a4 a\n  x: i8 = trunc b\n  y: i16 = sext x\n  z: i32 = zext y\n  \
                store.a4 a, z\n  return\n}";
    let wanted =
        "cvt.u16.u32 %rs1, %r1;\ncvt.s32.s8 %r2, %rs1;\ncvt.u16.u32 %rs2, %r2;\ncvt.u32.u16 %r3, %rs2;";
    assert!(body(text).contains(wanted), "{}", body(text));
}

/// ptxas makes a choice between whole numbers one of integers, and so loses the sign of -0.0.
#[test]
fn a_choice_of_minus_zero_is_one_of_bits() {
    let select = |other: &str| {
        format!(
            "kernel @k(a) {{\nb0(a: ptr.global):\n  b: i32 = load.a4 a\n  p: pred = cmp.eq b, 4:i32\n  \
             c: f32 = select p, -1.0:f32, {other}:f32\n  store.a4 a, c\n  return\n}}"
        )
    };
    let minus_zero = body(&select("-0.0"));
    assert!(minus_zero.contains("selp.b32 %f1, 0fBF800000, 0f80000000"), "{minus_zero}");
    let zero = body(&select("0.0"));
    assert!(zero.contains("selp.f32 %f1, 0fBF800000, 0f00000000"), "{zero}");
}

#[test]
fn many_cases_are_halved_and_few_compared_in_turn() {
    let text = "kernel @k(n) {\nb0(n: i32):\n  switch n, 1: b1, 7: b2, 9: b1, 12: b2, 3: b3, b3\nb1:\n  builtin \"__trap v() -\"\n  \
                unreachable\nb2:\n  return\nb3:\n  return\n}";
    let text = body(text);
    assert!(text.contains("setp.le.s32 %p1, %r1, 3;\n@%p1 bra"), "{text}");
    assert_eq!(text.matches("setp").count(), 6, "{text}");
    assert!(text.contains("trap;\nexit;"), "{text}");
}

#[test]
fn neighbouring_cases_of_one_place_are_one_comparison() {
    let text = "kernel @k(n) {\nb0(n: i32):\n  switch n, 5: b1, 6: b1, 7: b1, b2\nb1:\n  builtin \"__trap v() -\"\n  unreachable\nb2:\n  \
                return\n}";
    assert!(body(text).contains("add.s32 %r2, %r1, -5;\nsetp.gt.u32 %p1, %r2, 2;"), "{}", body(text));
}

#[test]
fn large_copies_are_loops_and_small_ones_load_before_they_store() {
    let copy = |size: u32, align: u32| {
        body(&format!(
            "kernel @k(a, b) {{\nb0(a: ptr.global, b: ptr.global):\n  copy {size} align {align} a, b\n  return\n}}"
        ))
    };
    let small = copy(24, 16);
    assert!(small.contains("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];\nld.global.v2.u32"), "{small}");
    let large = copy(258, 4);
    assert!(
        large.contains("setp.lt.u64 %p1, %rd3, 256;\n@%p1 bra") && large.contains("[%rd1+256]"),
        "{large}"
    );
}

#[test]
fn functions_are_called_with_parameters_of_at_least_32_bits() {
    let text = "function @f(c, p) never -> i8 {\nb0(c: i8, p: pred):\n  r: i8 = select p, c, 3:i8\n  return r\n}\n\
                kernel @k(a) {\nb0(a: ptr.global):\n  x: i8 = load.a1 a\n  y: i8 = call @f x, 1:pred\n  store.a1 a, y\n  return\n}";
    let all = ptx(52, text);
    assert!(all.contains(
        ".func  (.param .b32 func_retval0) f(\n\t.param .b32 f_param_0,\n\t.param .b32 f_param_1\n)"
    ));
    assert!(
        body(text).contains("call.uni (retval0), f, (param0, param1);\nld.param.b32 %r3, [retval0+0];"),
        "{all}"
    );
}

#[test]
fn orders_of_atomic_operations_are_fences_before_sm_70() {
    let text = "kernel @k(a) {\nb0(a: ptr.global):\n  x: i32 = builtin \"__builtin_atomic_add T(*TTkk) i\" a, 1:i32, 2:i32, 3:i32\n  \
                return\n}";
    assert!(body(text).contains("atom.global.add.u32 %r1, [%rd1], 1;\nmembar.gl;"), "{}", body(text));
    assert!(ptx(70, text).contains("atom.acquire.gpu.global.add.u32"), "{}", ptx(70, text));
}

#[test]
fn assembly_has_its_operands_in_place() {
    let text = "kernel @k(a) {\nb0(a: ptr.global):\n  x: i32 = load.a4 a\n  y: i32 = asm \"mad.lo.u32 %0, %1, %2, %%laneid;\" \"rrn\" %2 = \
                5 x\n  store.a4 a, y\n  return\n}";
    assert!(body(text).contains("mad.lo.u32 %r2, %r1, 5, %laneid;"), "{}", body(text));
}

#[test]
fn labels_of_assembly_are_numbered_apart() {
    let text = "kernel @k(a) {\nb0(a: ptr.global):\n  x: i32 = load.a4 a\n  y: i32 = asm \"{L%=: mov.b32 %0, %1;}\" \"rr\" x\n  z: i32 = asm \
                \"{L%=: mov.b32 %0, %1;}\" \"rr\" y\n  store.a4 a, z\n  return\n}";
    let all = ptx(52, text);
    let labels: Vec<&str> =
        all.lines().filter_map(|line| line.trim().strip_prefix("{L")?.split(':').next()).collect();
    assert!(labels.len() == 2 && labels[0] != labels[1], "{all}");
}

#[test]
fn a_loop_that_is_not_to_be_unrolled_says_so() {
    let text = "kernel @k(a, n) {\nb0(a: ptr.global, n: i32):\n  jump b1(n)\nb1(i: i32) unroll 1:\n  store.a4 a, i\n  \
                j: i32 = add i, -1:i32\n  p: pred = cmp.ne j, 0:i32\n  branch p, b1(j), b2\nb2:\n  return\n}";
    assert!(body(text).contains(":\n.pragma \"nounroll\";\nst.global"), "{}", body(text));
    assert!(!body(&text.replace("unroll 1", "unroll done")).contains("pragma"));
    // No loop leads back to this block any more.
    let once = text.replace("branch p, b1(j), b2", "jump b2");
    assert!(!body(&once).contains("pragma"), "{}", body(&once));
}

#[test]
fn the_address_of_a_variable_that_a_loop_computes_with_is_in_a_register_before_it() {
    let text = "global @t shared 64 align 4 element i32 array\nkernel @k(n) {\nb0(n: i64):\n  t: ptr.shared = global @t\n  \
                jump b1(n)\nb1(i: i64):\n  q: ptr.shared = offset t, i\n  x: i32 = load.a4 q\n  store.a4 t, x\n  \
                j: i64 = add i, -1:i64\n  p: pred = cmp.ne j, 0:i64\n  branch p, b1(j), b2\nb2:\n  return\n}";
    let (before, within) = body(text).split_once(":\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(before.contains(", t;") && !within.contains(", t;"), "{}", body(text));
    // What is accessed at a known place is named all the same.
    assert!(within.contains("st.shared.u32 [t]"), "{within}");
}

/// Bytes of local memory that the arms of a branch take, which are `then` and `otherwise`; `p` and `q` are slots of 64 bytes.
fn local_bytes(then: &str, otherwise: &str) -> u64 {
    let text = format!(
        "kernel @k(c, i) {{\nb0(c: i32, i: i64):\n  p: ptr.local = slot 64 align 4\n  q: ptr.local = slot 64 align 4\n  \
         x: ptr.local = offset p, i\n  y: ptr.local = offset q, i\n  z: pred = cmp.eq c, 0:i32\n  \
         branch z, b1, b2\nb1:\n{then}  jump b3\nb2:\n{otherwise}  jump b3\nb3:\n  return\n}}"
    );
    let text = ptx(52, &text);
    let size = text.split("__local_depot0[").nth(1).and_then(|rest| rest.split(']').next());
    size.and_then(|size| size.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn variables_of_separate_ways_share_their_place_in_local_memory() {
    let access = |pointer: &str| format!("  store.a4.volatile {pointer}, c\n");
    assert_eq!(local_bytes(&access("x"), &access("y")), 64);
    assert_eq!(local_bytes(&(access("x") + &access("y")), &access("y")), 128, "both are needed in one block");
    let known = "  store.a8.volatile x, q\n";
    assert_eq!(local_bytes(known, &access("y")), 128, "who reads the pointer may write where it leads");
}

#[test]
fn a_variable_keeps_its_place_around_a_loop_that_uses_it() {
    let text = "kernel @k(c, i) {\nb0(c: i32, i: i64):\n  p: ptr.local = slot 64 align 4\n  q: ptr.local = slot 64 align 4\n  \
         x: ptr.local = offset p, i\n  y: ptr.local = offset q, i\n  z: pred = cmp.eq c, 0:i32\n  jump b1\nb1:\n  \
         store.a4.volatile x, c\n  jump b2\nb2:\n  store.a4.volatile y, c\n  branch z, b1, b3\nb3:\n  return\n}";
    assert!(ptx(52, text).contains("__local_depot0[128]"), "{}", ptx(52, text));
}

#[test]
fn a_function_whose_address_is_taken_is_declared_and_called_by_its_prototype() {
    let text = ptx(
        52,
        "global @t global 8 align 8 element i64 array visible = \"\", 0: @h + 0\n\
         function @g(a) -> i32 {\nb0(a: i32):\n  return a\n}\n\
         function @h() {\nb0:\n  return\n}\n\
         kernel @k(a) {\nb0(a: i32):\n  p: ptr.generic = function @g\n  x: i32 = call_indirect p, a\n  \
         q: ptr.generic = function @h\n  call_indirect q\n  return\n}",
    );
    for wanted in [
        ".func h(\n)\n;\n.global .align 8 .u64 t[1] = {h};",
        "mov.u64 \t%rd1, g;",
        "prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);",
        "call (retval0), %rd1, (param0), prototype_0;",
        "prototype_1 : .callprototype _ ();",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn a_function_of_the_host_is_refused() {
    let refused = |text: &str| {
        let target =
            Target { arch: Arch { number: 52, suffix: None }, fmad: true, fast_math: false, lines: false };
        emit(parse(text), &Sources::default(), target).expect_err("a refusal").message
    };
    let external = "external @puts() {\nb0:\n  unreachable\n}\nkernel @k() {\nb0:\n  call @puts\n  return\n}";
    assert_eq!(refused(external), "`puts` is a function of the host, and called in a kernel");
}
