//! Forms of the manual that ordinary kernels do not have: each parses, and to what it says.
#![allow(clippy::unwrap_used)]

use ptx::{Initialiser, Operand, Statement, parse};

fn instruction(line: &str) -> (String, Vec<String>) {
    let text = format!(".version 9.0\n.target sm_100a\n.entry k() {{\n{line}\n}}");
    let module = parse(&text).unwrap_or_else(|error| panic!("{line}: {error}"));
    match &module.functions[0].body.as_ref().unwrap()[..] {
        [Statement::Instruction(i)] => {
            (i.mnemonic(), i.operands.iter().map(|operand| format!("{operand:?}")).collect())
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn instructions_of_every_shape_parse() {
    for (line, operands) in [
        ("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tex, {%f5, %f6}];", 2),
        ("tex.base.2d.v4.f32.f32 {%f1,_,_,_}, [%rd1, %rd2, {%f5, %f6}], {1, 2}, %f7;", 4),
        ("@!%p1 tex.grad.2d.v4.f32.f32 {%f1,_,_,_}|%p2, [tex, {%f5, %f6}], {%f1, %f2}, {%f3, %f4};", 4),
        ("suld.b.2d.v2.b32.trap {%r1, %r2}, [surf, {%r3, %r4}];", 2),
        ("sust.b.1d.b32.clamp [surf, {%r1}], {%r2};", 2),
        ("txq.width.b32 %r1, [tex];", 2),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes \
             [%r1], [%rd1, {%r2, %r3}], [%r4];",
            3,
        ),
        (
            "cp.async.bulk.tensor.4d.im2col.shared::cta.global [%r1], [%rd1, {%r2,%r3,%r4,%r5}], [%r6], {%rs1, %rs2};",
            4,
        ),
        ("tcgen05.mma.cta_group::1.kind::tf32 [%r1], %rd1, %rd2, %r2, {%r3,%r4,%r5,%r6}, %p1;", 6),
        ("mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1+8], 1;", 3),
        ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];", 3),
        ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2}, {%r1}, {%r2}, {%f3,%f4};", 4),
        (
            "ld.global.L1::no_allocate.L2::cache_hint.v8.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, [%rd1], %rd2;",
            3,
        ),
        ("ld.global.v2.b64 {{%r1,%r2},{%r3,%r4}}, [%rd1];", 2),
        ("lop3.or.b32 %r1|%p1, %r2, %r3, 0x5410U, 0x96, !%p2;", 6),
        ("vadd.s32.u32.s32.sat.max %r1.b0, -%r2.b1, %r3.h0, %r4;", 4),
        ("call.uni (r0), callee, (a, 5, (1 + 2), -3, 0f3F800000);", 3),
        ("call (r0, r1), %rd1, (), proto;", 4),
        ("call callee;", 1),
        ("mov.u64 %rd1, generic(array) + 16;", 2),
        ("mov.u64 %rd1, array[7];", 2),
        ("ld.const.u32 %r1, array[(1 << 2) - 1];", 2),
        ("ld.shared.u32 %r1, [array + 4 * 4 - 8];", 2),
        ("ld.shared.u32 %r1, [0x10 + 4];", 2),
        ("ld.local.u32 %r1, [%r2+-4];", 2),
        ("mov.u32 %r1, WARP_SZ;", 2),
        ("setp.eq.and.s32 %p1|%p2, %r1, -1, !%p3;", 4),
        ("bar.sync 0;", 1),
        ("trap;", 0),
    ] {
        assert_eq!(instruction(line).1.len(), operands, "{line}");
    }
}

#[test]
fn constants_in_operands_are_computed() {
    for (text, wanted) in [
        ("(1<<4)|3", "Integer(19)"),
        ("-5", "Integer(18446744073709551611)"),
        ("~0xffU & 0xffff", "Integer(65280)"),
        ("WARP_SZ*2", "Integer(64)"),
        ("-.5", "F64(13826050856027422720)"),
        ("-0f3F800000", "F32(3212836864)"),
        ("[%r1 + (1<<4) - 1]", "Address { base: Some(\"%r1\"), offset: 15 }"),
        ("tab[3 * 5]", "Element { symbol: \"tab\", index: 15, register: None, bytes: 0 }"),
        (
            "[tab, {1, -1}]",
            "Access([Address { base: Some(\"tab\"), offset: 0 }, \
          Vector([Integer(1), Integer(18446744073709551615)])])",
        ),
    ] {
        assert_eq!(instruction(&format!("mov.b32 %r1, {text};")).1[1], wanted);
    }
}

#[test]
fn modules_hold_every_directive() {
    let text = r#"//
.version 9.0
.target sm_90a, texmode_independent, debug
.address_size 64
@@DWARF .section .debug_info, "", @progbits
.file 1 "größe.cu", 1700000000, 1234 /* über
zwei Zeilen */
.pragma "a", "b";
.extern .func  (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.weak .func .attribute(.unified(19, 95)) weakling(.param .align 8 .b8 p[]) .noreturn;
.common .global .align 8 .attribute(.managed) .u64 shared_by_all;
.global .texref tex;
.global .samplerref sampler = { addr_mode_0 = clamp_to_border, filter_mode = nearest };
.const .align 8 .v2 .f32 pairs[2] = { {1.0, -2.5}, {0f3F800000, 0fBF800000} };
.global .u8 bytes[4] = { 0xff(tex), 0xff00(generic(tex)+4), -1, (1 << 3) | 1 };
.global .u64 at[] = { tex, generic(tex)+8, tex + 2 - 1, 0 };
.visible .entry k(
    .param .u64 .ptr .shared::cta .align 16 p0,
    .param .align 8 .b8 p1[2][(4 + 4)]
)
.maxntid 16, 16, 1
.minnctapersm 2
.maxnreg 64
.reqnctapercluster 2
.explicitcluster
.pragma "nounroll";
{
    .reg .b32 %r1<4>, %x;
    .reg .v4 .f32 v;
    .loc 1 5 2, function_name $L__info_string0+4, inlined_at 1 30 5
    .loc 1 6 2, function_name .debug_str, inlined_at 1 30 5
    .pragma "nounroll";
    proto: .callprototype (.param .b32 _) _ (.param .b64 _, .reg .b32 _) .noreturn;
    targets: .branchtargets A, B;
    callees: .calltargets f, g;
    A: B: { .reg .pred p; @p bra A; @!p bra.uni B; }
    ;
}
.alias weaker, weakling;
.section .debug_info
{
.b32 95, -3
info_begin:
.b64 $L__a-$L__b
.b8 {1}
}
.section debug_str { }
"#;
    let module = parse(text).unwrap();
    assert_eq!((module.version, module.target.len()), ((9, 0), 3));
    assert_eq!(module.file(1), Some("größe.cu"));
    assert_eq!((module.variables.len(), module.functions.len()), (6, 3));
    assert!(matches!(&module.variables[2].initialiser, Some(Initialiser::List(list))
        if matches!(list[1], Initialiser::Field("filter_mode", Operand::Name("nearest", None)))));
    assert!(matches!(&module.variables[4].initialiser, Some(Initialiser::List(list))
        if matches!(&list[1], Initialiser::Value(Operand::Masked(0xff00, _)))));
    let kernel = &module.functions[2];
    assert_eq!(kernel.parameters[1].dimensions, [Some(2), Some(8)]);
    assert_eq!(kernel.directives.len(), 6);
    assert!(matches!(kernel.body.as_ref().unwrap()[0], Statement::Registers { prefix: "%r1", count: 4, .. }));
    assert!(
        matches!(&kernel.body.as_ref().unwrap()[6], Statement::Prototype("proto", p) if p.parameters.len() == 2)
    );
}

#[test]
fn a_missing_semicolon_is_reported_where_it_is_missing() {
    let text = ".version 8.8\n.entry k() { .pragma \"nounroll\" }\n.entry l() { ret; }";
    assert_eq!(parse(text).unwrap_err().to_string(), "2:33: expected `;`, found `}`");
}

#[test]
fn sections_of_debugging_information_are_passed_over() {
    let of = |section: &str| format!(".version 8.8\n.section .debug_str {section}\n.const .u32 behind;\n");
    for section in [
        "{\n$L__info_string0:\n.b8 95,90\n.b8 0\n}",
        "{ .b8 1 { 2 } 3 }",
        "{ // }\n /* } */ .b8 \"}\" \n}",
        "{}",
    ] {
        let text = of(section);
        let module = ptx::parse(&text).unwrap();
        assert_eq!(module.variables[0].name, "behind", "{section}");
    }
    for section in ["{ .b8 1", "{ { }", "{ \"}", "{ /* }"] {
        let text = format!(".version 8.8\n.section .debug_str {section}");
        assert!(ptx::parse(&text).is_err(), "{section}");
    }
    let error = ptx::parse(".version 8.8\n.section .debug_str\n{ .b8 1,").unwrap_err().to_string();
    assert_eq!(error, "2:1: unterminated section");
}
