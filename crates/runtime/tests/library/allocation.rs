//! `malloc` and its family, and what is said of mistakes with them.

use crate::guest::Program;
use runtime::{Guest, Signal, library::Event};

#[test]
fn calloc_gives_zeros_and_malloc_what_is_recognised() {
    let mut program = Program::new();
    let zeros = program.call("calloc", &[3, 4]);
    assert_eq!(program.guest.bytes(zeros, 12), [0; 12]);
    let other = program.call("malloc", &[4]);
    assert_eq!(program.guest.bytes(other, 4), [0xCD; 4]);
    assert_eq!(program.call("calloc", &[1 << 33, 1 << 33]), 0);
    assert_eq!(program.errno(), 12);
    assert_eq!(program.mistakes(), ["out-of-memory"]);
}

#[test]
fn realloc_keeps_what_fits() {
    let mut program = Program::new();
    let first = program.call("realloc", &[0, 8]);
    program.guest.write(first, b"12345678").expect("memory");
    let second = program.call("realloc", &[first, 100]);
    assert_ne!(first, second);
    assert_eq!(program.guest.bytes(second, 9), *b"12345678\xCD");
    assert_eq!(program.call("realloc", &[second, 50]), second);
    assert_eq!(program.call("realloc", &[second, 0]), 0);
    assert_eq!(program.library.heap.live_bytes(), 0);
    assert_eq!(program.mistakes(), [""; 0]);
}

#[test]
fn a_second_free_aborts_as_glibc_does_and_says_where_the_first_was() {
    let mut program = Program::new();
    let block = program.call("malloc", &[24]);
    let allocated = program.guest.site();
    program.call("free", &[block]);
    let freed = program.guest.site();
    assert_eq!(program.try_call("free", &[block]), Err(Signal::Abort));
    assert_eq!(program.errors(), "free(): double free detected in tcache 2\n");
    let finding = &program.library.findings.all()[0];
    assert_eq!(finding.mistake.name(), "double-free");
    assert_eq!(finding.others, [(Event::Allocated, allocated), (Event::Freed, freed)]);
    assert_eq!(finding.message, "`free`: the block of 24 bytes was already freed");
}

#[test]
fn an_address_that_no_block_starts_at_is_an_invalid_pointer() {
    for inside in [false, true] {
        let mut program = Program::new();
        let block = program.call("malloc", &[24]);
        let address = if inside { block + 8 } else { 0x1000 };
        assert_eq!(program.try_call("free", &[address]), Err(Signal::Abort));
        assert_eq!(program.errors(), "free(): invalid pointer\n");
        let shown =
            if inside { "is 8 bytes into a block of 24 bytes, not its start" } else { "was not allocated" };
        assert!(program.library.findings.all()[0].message.ends_with(shown));
    }
}

#[test]
fn free_of_what_new_made_works_and_is_reported() {
    let mut program = Program::new();
    let block = program.call("_Znam", &[24]);
    assert_eq!(program.try_call("free", &[block]), Ok(0));
    assert_eq!(
        program.library.findings.all()[0].message,
        "`free`: the block is from `new[]`; free it with `delete[]`"
    );
    assert_eq!(program.library.heap.live_bytes(), 0);
    let block = program.call("malloc", &[24]);
    assert_eq!(program.try_call("_ZdlPv", &[block]), Ok(0));
    assert_eq!(program.mistakes(), ["wrong-free", "wrong-free"]);
}

#[test]
fn a_write_past_the_end_is_reported_when_the_block_is_freed() {
    let mut program = Program::new();
    let block = program.call("malloc", &[24]);
    program.guest.write(block + 24, &[0]).expect("memory");
    assert_eq!(program.try_call("free", &[block]), Ok(0));
    assert_eq!(
        program.library.findings.all()[0].message,
        "the block of 24 bytes was written past its end, at offset 24"
    );
}

#[test]
fn aligned_memory_is_aligned_and_an_alignment_that_is_none_is_refused() {
    let mut program = Program::new();
    assert_eq!(program.call("aligned_alloc", &[64, 128]) % 64, 0);
    assert_eq!(program.call("aligned_alloc", &[65, 128]), 0);
    let result = program.guest.cells(&[0]);
    assert_eq!(program.call("posix_memalign", &[result, 4096, 10]), 0);
    assert_eq!(program.guest.long(result) % 4096, 0);
    assert_eq!(program.call("posix_memalign", &[result, 4, 10]), 22);
}

#[test]
fn a_second_free_of_a_larger_block_has_the_message_of_its_size() {
    let mut program = Program::new();
    let [middle, large] = [5_000, 200_000].map(|bytes| program.call("malloc", &[bytes]));
    program.call("free", &[middle]);
    program.call("free", &[large]);
    assert_eq!(program.try_call("free", &[middle]), Err(Signal::Abort));
    assert_eq!(program.errors(), "double free or corruption (!prev)\n");
    assert!(matches!(program.try_call("free", &[large]), Err(Signal::Segmentation { .. })));
    assert_eq!(program.mistakes(), ["double-free", "double-free"]);
}

#[test]
fn what_the_library_owns_is_not_freed_by_the_program() {
    let mut program = Program::new();
    let text = program.call("strerror", &[1]);
    assert_eq!(program.try_call("free", &[text]), Err(Signal::Abort));
    assert_eq!(program.library.findings.all()[0].message, "`free`: the block is the C library's own");
}
