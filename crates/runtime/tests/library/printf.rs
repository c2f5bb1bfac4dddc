//! `printf` and its family.

use crate::guest::Program;

/// What `printf` writes.
fn printed(template: &str, cells: &[u64]) -> String {
    let mut program = Program::new();
    let template = program.text(template);
    program.variadic("printf", &[template], cells);
    program.output()
}

#[test]
fn conversions_take_width_precision_and_flags() {
    assert_eq!(printed("%d|%5d|%-5d|%05d|%+d\n", &[1, 2, 3, 4, 5]), "1|    2|3    |00004|+5\n");
    assert_eq!(
        printed("%.3f %g %e", &[1.5f64.to_bits(), 1e20f64.to_bits(), 0.0f64.to_bits()]),
        "1.500 1e+20 0.000000e+00"
    );
    assert_eq!(printed("%*d|%-*d|%.*f", &[4, 7, 4, 7, 2, 0.125f64.to_bits()]), "   7|7   |0.12");
    assert_eq!(printed("%2$d %1$d", &[1, 2]), "2 1");
    assert_eq!(printed("%p %p %%", &[0, 0x1000]), "(nil) 0x1000 %");
    assert_eq!(printed("%hhd %hd %ld %u", &[0x1FF, 0x1_FFFF, u64::MAX, u64::MAX]), "-1 -1 -1 4294967295");
}

#[test]
fn strings_end_at_a_zero_or_the_precision() {
    let mut program = Program::new();
    let (template, text) = (program.text("[%s|%.2s|%6s|%-6s|%s]"), program.text("abcd"));
    let count = program.variadic("printf", &[template], &[text, text, text, text, 0]);
    assert_eq!(program.output(), "[abcd|ab|  abcd|abcd  |(null)]");
    assert_eq!(count, 30);
}

#[test]
fn snprintf_writes_what_fits_and_returns_what_was_needed() {
    let mut program = Program::new();
    let (template, to) = (program.text("%d apples"), program.guest.put(&[b'x'; 16]));
    assert_eq!(program.variadic("snprintf", &[to, 5, template], &[12]), 9);
    assert_eq!(program.guest.bytes(to, 6), *b"12 a\0x");
    assert_eq!(program.variadic("snprintf", &[0, 0, template], &[12]), 9);
    assert_eq!(program.variadic("sprintf", &[to, template], &[12]), 9);
    assert_eq!(program.guest.string(to), "12 apples");
}

#[test]
fn a_string_that_is_none_is_reported_by_the_function() {
    let mut program = Program::new();
    let template = program.text("%s\n");
    let cells = program.guest.cells(&[5]);
    assert!(program.try_call("printf", &[template, cells]).is_err());
    assert_eq!(
        program.library.findings.all()[0].message,
        "`printf`: the argument for `%s`, 0x5, is not the address of a string"
    );
}
