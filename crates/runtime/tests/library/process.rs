//! The program's arguments, environment, time and end.

use crate::guest::{Fake, Program};
use runtime::library::Freed;
use runtime::{Guest, Signal};
use std::time::Duration;

#[test]
fn arguments_are_in_memory_with_a_null_pointer_after_them() {
    let mut program =
        Program::with("", |options| options.arguments = vec!["./a".to_owned(), "x y".to_owned()]);
    let (count, vector) = program.library.start(&mut program.guest).expect("room");
    let word = |at: u64| program.guest.string(program.guest.long(vector + 8 * at) as u64);
    assert_eq!(
        (count, word(0), word(1), program.guest.long(vector + 16)),
        (2, "./a".to_owned(), "x y".to_owned(), 0)
    );
}

#[test]
fn after_exit_what_was_entered_is_called_the_last_first_and_streams_are_flushed() {
    fn first(guest: &mut Fake, _: &[u64]) -> Result<u64, Signal> {
        guest.notes.push(1);
        Ok(0)
    }
    fn second(guest: &mut Fake, given: &[u64]) -> Result<u64, Signal> {
        guest.notes.push(given[0]);
        Ok(0)
    }
    let mut program = Program::new();
    program.guest.functions = vec![first, second];
    program.call("atexit", &[1]);
    program.call("__cxa_atexit", &[2, 77, 0]);
    let text = program.text("no line");
    program.variadic("printf", &[text], &[]);
    assert_eq!(program.try_call("exit", &[256 + 3]), Err(Signal::Exit(3)));
    assert_eq!(program.library.finish(&mut program.guest, 3), Ok(3));
    assert_eq!(program.guest.notes, [77, 1]);
    assert_eq!(program.output(), "no line");
}

#[test]
fn exit_within_what_is_called_at_the_end_decides_the_code() {
    fn exits(_: &mut Fake, _: &[u64]) -> Result<u64, Signal> {
        Err(Signal::Exit(9))
    }
    let mut program = Program::new();
    program.guest.functions = vec![exits];
    program.call("atexit", &[1]);
    assert_eq!(program.library.finish(&mut program.guest, 0), Ok(9));
}

#[test]
fn an_exit_at_once_calls_nothing_and_one_by_one_the_functions_are_the_callers() {
    let mut program = Program::new();
    program.call("atexit", &[11]);
    program.call("__cxa_atexit", &[12, 5, 0]);
    assert_eq!(program.library.next_at_exit(), Some((12, vec![5])));
    assert_eq!(program.try_call("_Exit", &[4]), Err(Signal::Exit(4)));
    assert_eq!(program.library.next_at_exit(), None);
}

#[test]
fn an_exception_that_is_not_caught_is_named_as_libstdcpp_names_it() {
    let mut program = Program::new();
    let (of, what) = (program.text("std::runtime_error"), program.text("no data"));
    assert_eq!(program.try_call("__library_terminate", &[of, what]), Err(Signal::Abort));
    assert_eq!(
        program.errors(),
        "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no data\n"
    );
}

#[test]
fn a_failed_assertion_is_reported_as_glibc_does() {
    let mut program = Program::new();
    let (condition, file, function) = (program.text("x > 0"), program.text("a.cu"), program.text("main"));
    assert_eq!(program.try_call("__assert_fail", &[condition, file, 12, function]), Err(Signal::Abort));
    assert_eq!(program.errors(), "program: a.cu:12: main: Assertion `x > 0' failed.\n");
}

#[test]
fn the_environment_has_what_the_caller_gives_and_nothing_else() {
    let mut program =
        Program::with("", |options| options.environment = vec![("N".to_owned(), "12".to_owned())]);
    let (known, other) = (program.text("N"), program.text("PATH"));
    let value = program.call("getenv", &[known]);
    assert_eq!(program.guest.string(value), "12");
    assert_eq!(program.call("getenv", &[known]), value);
    assert_eq!(program.call("getenv", &[other]), 0);
}

#[test]
fn other_programs_cannot_be_started_which_is_reported() {
    let mut program = Program::new();
    let command = program.text("ls");
    assert_eq!(program.int("system", &[command]), -1);
    assert_eq!(program.call("system", &[0]), 0);
    assert_eq!(
        program.library.findings.all()[0].message,
        "`system` is not supported: a program cannot start others here"
    );
}

#[test]
fn at_the_end_leaks_are_summed_by_the_place_that_made_them() {
    let mut program = Program::new();
    let site = {
        let kept = program.call("malloc", &[10]);
        let site = program.guest.site();
        program.guest.site -= 1;
        program.call("malloc", &[20]);
        program.guest.write(kept + 10, &[1]).expect("memory");
        site
    };
    let freed = program.call("_Znwm", &[5]);
    program.call("_ZdlPv", &[freed]);
    program.call("__standard_stream", &[1]);
    program.library.check_end(&program.guest, Some(Freed::All)).expect("memory");
    let found: Vec<(&str, &str)> = program
        .library
        .findings
        .all()
        .iter()
        .map(|finding| (finding.mistake.name(), finding.message.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("heap-overrun", "the block of 10 bytes was written past its end, at offset 10"),
            ("leak", "2 blocks of 30 bytes in all were never freed"),
        ]
    );
    assert_eq!(program.library.findings.all()[1].site, Some(site));
}

#[test]
fn new_without_room_ends_the_program_as_an_exception_that_is_not_caught() {
    let mut program = Program::new();
    assert_eq!(program.try_call("_Znam", &[1 << 40]), Err(Signal::Abort));
    assert_eq!(
        program.errors(),
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n"
    );
    assert_eq!(program.try_call("_ZnamRKSt9nothrow_t", &[1 << 40, 0]), Ok(0));
}

#[test]
fn the_modelled_clock_starts_at_a_fixed_moment_and_goes_as_the_caller_says() {
    let mut program = Program::new();
    assert_eq!(program.call("time", &[0]), 1_767_225_600);
    program.library.clock.advance(Duration::from_millis(1500));
    program.call("usleep", &[600_000]);
    let place = program.guest.cells(&[0, 0]);
    program.call("gettimeofday", &[place, 0]);
    assert_eq!((program.guest.long(place), program.guest.long(place + 8)), (1_767_225_602, 100_000));
    assert_eq!(program.call("clock", &[]), 1_500_000, "waiting is not running");
    program.call("clock_gettime", &[1, place]);
    assert_eq!(program.guest.long(place), 2);
    assert!((program.double("omp_get_wtime", &[]) - 2.1).abs() < 1e-6);
    assert_eq!(program.int("clock_gettime", &[99, place]), -1);
}

#[test]
fn a_loop_that_waits_for_the_modelled_clock_ends() {
    let mut program = Program::new();
    let mut asked = 0;
    while program.call("clock", &[]) < 10 {
        asked += 1;
    }
    assert!(asked < 1000, "{asked}");
}

#[test]
fn messages_of_getopt_are_those_of_glibc() {
    let mut program = Program::new();
    let (short, long) = (program.text("n:"), program.guest.cells(&[0; 4]));
    for (word, message) in [
        ("-x", "./a: invalid option -- 'x'\n"),
        ("-n", "./a: option requires an argument -- 'n'\n"),
        ("--no", "./a: unrecognized option '--no'\n"),
    ] {
        let before = program.errors().len();
        let (name, word) = (program.text("./a"), program.text(word));
        let (vector, index) = (program.guest.cells(&[name, word, 0]), program.call("__optind_location", &[]));
        program.guest.write(index, &[0; 4]).expect("optind");
        assert_eq!(program.int("getopt_long", &[2, vector, short, long, 0]), i32::from(b'?'));
        assert_eq!(program.errors()[before..], *message);
    }
}

#[test]
fn search_in_a_sorted_array_calls_the_programs_comparison() {
    fn compare(guest: &mut Fake, given: &[u64]) -> Result<u64, Signal> {
        Ok((guest.int(given[0]) - guest.int(given[1])) as u64)
    }
    let mut program = Program::new();
    program.guest.functions.push(compare);
    let array = program.guest.put(&[1, 3, 5, 7].map(i32::to_le_bytes).concat());
    let keys = program.guest.put(&[5, 6].map(i32::to_le_bytes).concat());
    assert_eq!(program.call("bsearch", &[keys, array, 4, 4, 1]), array + 8);
    assert_eq!(program.call("bsearch", &[keys + 4, array, 4, 4, 1]), 0);
}
