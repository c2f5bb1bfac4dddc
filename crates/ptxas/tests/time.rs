//! What the crate finds for models of time: loops of which four rounds are one, instructions that become a part of others,
//! registers.
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
