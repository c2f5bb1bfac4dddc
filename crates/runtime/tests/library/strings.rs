//! `string.h`, and what is reported of its arguments.

use crate::guest::Program;
use runtime::Guest;

#[test]
fn memory_is_copied_also_where_it_overlaps_which_memcpy_reports() {
    let mut program = Program::new();
    let text = program.text("0123456789");
    assert_eq!(program.call("memmove", &[text + 2, text, 5]), text + 2);
    assert_eq!(program.guest.string(text), "0101234789");
    assert_eq!(program.mistakes(), [""; 0]);
    program.call("memcpy", &[text, text + 1, 5]);
    assert_eq!(program.guest.string(text), "1012334789");
    assert_eq!(
        program.library.findings.all()[0].message,
        "`memcpy`: source and destination are 1 bytes apart and overlap; use `memmove`"
    );
    program.call("memcpy", &[text, text + 5, 5]);
    program.call("memcpy", &[text, text, 5]);
    assert_eq!(program.mistakes(), ["overlap"]);
}

#[test]
fn a_large_copy_downward_and_upward_is_right() {
    let mut program = Program::new();
    let block = program.call("malloc", &[1_200_000]);
    let bytes: Vec<u8> = (0..1_000_000u32).map(|at| ((at * 7) >> 3) as u8).collect();
    program.guest.write(block, &bytes).expect("memory");
    program.call("memmove", &[block + 100_000, block, 1_000_000]);
    assert!(program.guest.bytes(block + 100_000, 1_000_000) == bytes);
    program.call("memmove", &[block + 1, block + 100_000, 1_000_000]);
    assert!(program.guest.bytes(block + 1, 1_000_000) == bytes);
    program.call("memset", &[block, 0x1AB, 1_200_000]);
    assert!(program.guest.bytes(block, 1_200_000).iter().all(|byte| *byte == 0xAB));
    assert_eq!(program.mistakes(), [""; 0]);
}

#[test]
fn a_range_beyond_its_block_is_reported_with_both_sizes() {
    let mut program = Program::new();
    let block = program.call("malloc", &[100]);
    program.call("memset", &[block, 0, 400]);
    program.call("strcpy", &[block, block]);
    let text = program.text("0123456789");
    program.call("strcpy", &[block + 95, text]);
    let messages: Vec<&str> =
        program.library.findings.all().iter().map(|finding| &*finding.message).collect();
    assert_eq!(
        messages,
        [
            "`memset` writes 400 bytes of a block of 100 bytes, 300 too many",
            "`strcpy` writes 11 bytes at offset 95 of a block of 100 bytes, 6 too many",
        ]
    );
}

#[test]
fn a_freed_block_is_reported_where_it_is_used() {
    let mut program = Program::new();
    let block = program.call("malloc", &[100]);
    program.call("free", &[block]);
    program.call("memset", &[block + 4, 0, 1]);
    program.call("strlen", &[block]);
    assert_eq!(program.mistakes(), ["use-after-free", "use-after-free"]);
    let finding = &program.library.findings.all()[0];
    assert!(
        finding.message.ends_with("points to a block of 100 bytes that was freed"),
        "{}",
        finding.message
    );
    assert_eq!(finding.others.len(), 2);
}

#[test]
fn strings_are_copied_appended_and_compared() {
    let mut program = Program::new();
    let (to, one, two) = (program.guest.put(&[b'#'; 40]), program.text("one"), program.text("ONE two"));
    program.call("strcpy", &[to, one]);
    program.call("strcat", &[to, two]);
    assert_eq!(program.guest.string(to), "oneONE two");
    program.call("strncat", &[to, two, 2]);
    assert_eq!(program.guest.string(to), "oneONE twoON");
    program.call("strncpy", &[to, one, 6]);
    assert_eq!(program.guest.bytes(to, 7), *b"one\0\0\0 ");
    program.call("strncpy", &[to, two, 2]);
    assert_eq!(program.guest.string(to), "ONe");
    assert_eq!(program.call("stpcpy", &[to, one]), to + 3);
    assert!(program.int("strcmp", &[one, two]) > 0);
    assert!(program.int("strcasecmp", &[one, two]) < 0);
    assert_eq!(program.int("strncasecmp", &[one, two, 3]), 0);
    assert_eq!(program.int("strncmp", &[one, one, 99]), 0);
    let (high, low) = (program.guest.put(&[0x80, 0]), program.guest.put(&[0x7F, 0]));
    assert!(program.int("strcmp", &[high, low]) > 0, "bytes compare as unsigned");
    assert!(program.int("memcmp", &[high, low, 2]) > 0);
}

#[test]
fn bytes_and_parts_are_found_where_they_are() {
    let mut program = Program::new();
    let (text, part, none) = (program.text("hello, world"), program.text("lo, w"), program.text("xyz"));
    let o = u64::from(b'o');
    assert_eq!(program.call("strchr", &[text, o]), text + 4);
    assert_eq!(program.call("strrchr", &[text, o]), text + 8);
    assert_eq!(program.call("strchr", &[text, 0]), text + 12);
    assert_eq!(program.call("strchr", &[text, u64::from(b'z')]), 0);
    assert_eq!(program.call("strstr", &[text, part]), text + 3);
    assert_eq!(program.call("strstr", &[text, none]), 0);
    assert_eq!(program.call("memchr", &[text, o, 4]), 0);
    assert_eq!(program.call("memchr", &[text, o, 5]), text + 4);
    let set = program.text(", lo");
    assert_eq!(program.call("strcspn", &[text, set]), 2);
    assert_eq!(program.call("strspn", &[text + 2, set]), 5);
    assert_eq!(program.call("strpbrk", &[text, set]), text + 2);
    assert_eq!(program.call("strpbrk", &[text, none]), 0);
    assert_eq!(program.call("strnlen", &[text, 5]), 5);
}

#[test]
fn strtok_gives_one_token_after_the_other_with_a_place_of_its_own_for_each() {
    let mut program = Program::new();
    let (text, comma) = (program.text(",a,,bc,"), program.text(","));
    let mut tokens = vec![];
    let mut token = program.call("strtok", &[text, comma]);
    while token != 0 {
        tokens.push(program.guest.string(token));
        token = program.call("strtok", &[0, comma]);
    }
    assert_eq!(tokens, ["a", "bc"]);
    assert_eq!(program.call("strtok", &[0, comma]), 0);
    let (text, place) = (program.text("x,y"), program.guest.cells(&[0]));
    let first = program.call("strtok_r", &[text, comma, place]);
    let second = program.call("strtok_r", &[0, comma, place]);
    assert_eq!((program.guest.string(first), program.guest.string(second)), ("x".to_owned(), "y".to_owned()));
    assert_eq!(program.call("strtok_r", &[0, comma, place]), 0);
}

#[test]
fn a_copy_of_a_string_is_a_block_of_its_own() {
    let mut program = Program::new();
    let text = program.text("copy");
    let copy = program.call("strdup", &[text]);
    let short = program.call("strndup", &[text, 2]);
    assert_eq!(
        (program.guest.string(copy), program.guest.string(short)),
        ("copy".to_owned(), "co".to_owned())
    );
    assert_eq!(program.library.heap.live_bytes(), 5 + 3);
    program.call("free", &[copy]);
    assert_eq!(program.mistakes(), [""; 0]);
}

#[test]
fn a_string_without_a_zero_in_its_block_is_reported() {
    let mut program = Program::new();
    let block = program.call("malloc", &[4]);
    program.guest.write(block, b"abcd").expect("memory");
    let template = program.text("%s %.4s");
    program.variadic("printf", &[template], &[block, block]);
    program.call("strlen", &[block]);
    assert_eq!(program.mistakes(), ["heap-overrun", "heap-overrun"]);
    assert!(program.library.findings.all()[0].message.starts_with("`printf` reads "));
}

#[test]
fn a_formatted_string_that_does_not_fit_its_block_is_reported() {
    let mut program = Program::new();
    let (block, template) = (program.call("malloc", &[4]), program.text("%d"));
    program.variadic("snprintf", &[block, 4, template], &[123_456]);
    program.variadic("sprintf", &[block, template], &[999]);
    assert_eq!(program.mistakes(), [""; 0]);
    program.variadic("sprintf", &[block, template], &[123_456]);
    assert_eq!(
        program.library.findings.all()[0].message,
        "`sprintf` writes 7 bytes of a block of 4 bytes, 3 too many"
    );
}

#[test]
fn an_overrun_is_reported_once() {
    let mut program = Program::new();
    let (block, other) = (program.call("malloc", &[10]), program.call("malloc", &[10]));
    program.call("memset", &[block, 0, 12]);
    program.guest.write(other + 10, &[0]).expect("memory");
    program.call("realloc", &[other, 11]);
    program.call("free", &[other]);
    program.call("free", &[block]);
    assert_eq!(program.mistakes(), ["heap-overrun", "heap-overrun"]);
}
