//! What the crate finds for models of time: loops of which four rounds are one, instructions that become a part of others,
//! registers, what is under predicates, constants that are loaded once a warp.
#![allow(clippy::unwrap_used)]

const LOOP: &str = r"
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd2, %rd3;
    mov.f32 %f1, 0f00000000;
    mov.u32 %r3, 0;
L:
    ld.global.f32 %f2, [%rd4];
    mul.f32 %f3, %f2, %f2;
    add.f32 %f1, %f1, %f3;
    mul.rn.f32 %f4, %f2, %f2;
    add.rn.f32 %f1, %f1, %f4;
    add.s64 %rd4, %rd4, 128;
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p1, %r3, %r1;
    @%p1 bra L;
    st.global.f32 [%rd1], %f1;
    ret;
}
";

fn found() -> ptxas::Kernel {
    ptxas::kernel(&ptx::parse(LOOP).unwrap(), "k").unwrap()
}

/// The texts of instructions, by their bytes.
fn texts(at: impl IntoIterator<Item = u32>) -> Vec<&'static str> {
    at.into_iter().map(|at| LOOP[at as usize..].split(';').next().unwrap()).collect()
}

#[test]
fn what_counts_rounds_and_moves_addresses_is_there_once_in_four_rounds() {
    let kernel = found();
    assert_eq!(texts(kernel.unrolled), ["@%p1 bra L"]);
    assert_eq!(
        texts(kernel.once_in_four),
        ["add.s64 %rd4, %rd4, 128", "add.s32 %r3, %r3, 1", "setp.lt.s32 %p1, %r3, %r1", "@%p1 bra L"]
    );
}

#[test]
fn a_product_whose_only_use_is_a_sum_becomes_a_part_of_it_unless_both_are_rounded() {
    assert_eq!(texts(found().folded), ["add.s64 %rd4, %rd2, %rd3", "mul.f32 %f3, %f2, %f2"]);
}

#[test]
fn registers_are_handed_out_eight_at_a_time() {
    let registers = found().registers.unwrap();
    assert!(registers.is_multiple_of(8) && (8..=32).contains(&registers), "{registers}");
}

/// A loop over constants, of which `update` is the last part; lanes that have nothing to do end before it.
fn of_constants(update: &str) -> (String, ptxas::Kernel) {
    let text = format!(
        r"
.version 7.0
.target sm_70
.address_size 64
.const .align 16 .b8 table[4096];
.visible .entry k(.param .u64 p, .param .u32 n)
{{
    .reg .pred %p<4>;
    .reg .b32 %r<6>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra END;
    cvt.rn.f32.u32 %f1, %r2;
    mov.u32 %r3, 0;
    mov.u64 %rd3, table;
L:
    ld.const.f32 %f2, [%rd3];
    {update}
    add.s64 %rd3, %rd3, 8;
    add.s32 %r3, %r3, 1;
    setp.lt.u32 %p2, %r3, %r1;
    @%p2 bra L;
    st.global.f32 [%rd2], %f1;
END:
    ret;
}}
"
    );
    let kernel = ptxas::kernel(&ptx::parse(&text).unwrap(), "k").unwrap();
    (text, kernel)
}

#[test]
fn a_constant_at_the_same_address_for_all_lanes_is_loaded_once_a_warp() {
    let (text, kernel) = of_constants("fma.rn.f32 %f1, %f1, %f2, %f2;");
    let loads: Vec<_> = kernel.uniform.iter().map(|at| &text[*at as usize..][..12]).collect();
    assert_eq!(loads, ["ld.const.f32"]);
    assert!(kernel.predicated.is_empty());
}

#[test]
fn what_a_predicate_replaces_the_branch_around_is_reported_with_the_branch_and_keeps_addresses_in_lanes_registers()
 {
    let (text, kernel) = of_constants(
        "setp.le.f32 %p3, %f2, %f1; @%p3 bra M; ld.const.f32 %f1, [%rd3+4]; mul.f32 %f1, %f1, %f2; M:",
    );
    let of = |at: u32| text[at as usize..].split(';').next().unwrap().trim_start();
    let under: Vec<_> = kernel.predicated.iter().map(|(at, branch)| (of(*at), of(*branch))).collect();
    assert_eq!(
        under,
        [("ld.const.f32 %f1, [%rd3+4]", "@%p3 bra M"), ("mul.f32 %f1, %f1, %f2", "@%p3 bra M")]
    );
    assert!(kernel.uniform.is_empty(), "{:?}", kernel.uniform);
}
