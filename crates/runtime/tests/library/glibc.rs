//! The library next to glibc: what `scripts/glibc` found there.

use crate::guest::{Fake, Program};
use runtime::{Guest, Signal};
use std::{fs, path::Path};

/// Cases of a file, each as its parts.
fn cases(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/library/glibc/{name}.txt"));
    let text = fs::read_to_string(path).expect("scripts/glibc writes it");
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text, 16).expect("a hexadecimal number")
}

fn decimal(text: &str) -> i64 {
    text.parse().expect("a number")
}

/// Fails with the first differences.
fn none(differences: &[String], of: usize, least: usize) {
    assert!(of >= least, "{of} cases");
    let shown = differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} of {of} differ:\n{shown}", differences.len());
}

#[test]
fn printf_writes_what_glibc_writes() {
    let cases = cases("printf");
    let mut differences = vec![];
    let mut program = Program::new();
    for case in &cases {
        program.guest.reset();
        let [template, value, expected] = &case[..] else { panic!("{case:?}") };
        let value = match &**value {
            "text" => program.text("text"),
            "null" => 0,
            bits => hex(bits),
        };
        let (format, to) = (program.text(template), program.guest.put(&[0; 2000]));
        let count = program.variadic("sprintf", &[to, format], &[value]);
        let found = program.guest.string(to);
        let expected = &expected[1..expected.len() - 1];
        if found != expected || count != found.len() as u64 {
            differences.push(format!("{template} of {value:x}: `{found}`, glibc `{expected}`"));
        }
    }
    none(&differences, cases.len(), 2500);
}

#[test]
fn numbers_from_text_are_those_of_glibc_with_their_ends_and_errors() {
    let cases = cases("numbers");
    let mut differences = vec![];
    let mut program = Program::new();
    let place = program.call("__errno_location", &[]);
    for case in &cases {
        program.guest.reset();
        let [written, kind, bits, used, error] = &case[..] else { panic!("{case:?}") };
        let text = written.replace("\\t", "\t").replace("\\n", "\n");
        let (text, end) = (program.text(&text), program.guest.cells(&[0]));
        program.guest.write(place, &[0; 4]).expect("errno");
        let base = kind[1..].parse().unwrap_or(0);
        let found = match kind.as_bytes()[0] {
            b'd' => program.call("strtod", &[text, end]),
            b'f' => program.call("strtof", &[text, end]),
            b'l' => program.call("strtol", &[text, end, base]),
            _ => program.call("strtoul", &[text, end, base]),
        };
        let found = (found, program.guest.long(end) - text as i64, i64::from(program.guest.int(place)));
        let expected = (hex(bits), decimal(used), decimal(error));
        if found != expected {
            differences.push(format!("{kind} of `{written}`: {found:x?}, glibc {expected:x?}"));
        }
    }
    none(&differences, cases.len(), 6000);
}

#[test]
fn random_numbers_are_those_of_glibc() {
    let cases = cases("random");
    let mut program = Program::new();
    let mut differences = vec![];
    let (mut before, mut state) = (String::new(), 0);
    for (at, case) in cases.iter().enumerate() {
        let [function, seed, bits] = &case[..] else { panic!("{case:?}") };
        let family = if function.ends_with("48") { "48" } else { function };
        let own = matches!(&**function, "erand48" | "jrand48");
        let run = format!("{family} {own} {seed}");
        if run != before && seed != "none" {
            let seed = decimal(seed) as u64;
            match (family, own) {
                ("rand", _) => drop(program.call("srand", &[seed])),
                ("48", false) => drop(program.call("srand48", &[seed])),
                ("48", true) => state = program.guest.cells(&[seed | 7 << 32]),
                _ => state = program.guest.cells(&[seed]),
            }
        }
        before = run;
        let found = program
            .call(function, if own || function == "rand_r" { std::slice::from_ref(&state) } else { &[] });
        if found != hex(bits) {
            differences.push(format!("{at}: {function} of {seed}: {found:x}, glibc {bits}"));
        }
    }
    none(&differences, cases.len(), 2000);
}

#[test]
fn qsort_compares_what_glibc_compares_and_keeps_the_order_of_equal_ones() {
    fn compare(guest: &mut Fake, given: &[u64]) -> Result<u64, Signal> {
        let (one, two) = (guest.int(given[0]), guest.int(given[1]));
        guest.notes.extend([one as u64, two as u64]);
        Ok((one / 10 - two / 10) as u64)
    }
    let cases = cases("qsort");
    assert_eq!(cases.len(), 8);
    for case in cases {
        let [values, compared, sorted] = &case[..] else { panic!("{case:?}") };
        let values: Vec<i32> = values.split(',').filter_map(|value| value.parse().ok()).collect();
        let mut program = Program::new();
        program.guest.functions.push(compare);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let array = program.guest.put(&bytes);
        assert!(runtime::library::calls_back("qsort") && !runtime::library::calls_back("printf"));
        program.call("qsort", &[array, values.len() as u64, 4, 1]);
        let notes: String =
            program.guest.notes.chunks(2).map(|pair| format!(" {},{}", pair[0], pair[1])).collect();
        let after: String =
            (0..values.len() as u64).map(|at| format!("{} ", program.guest.int(array + 4 * at))).collect();
        assert_eq!((&notes, &after), (compared, sorted));
    }
}

#[test]
fn dates_are_those_of_glibc() {
    const FORMATS: &str = "%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %k %l %m %M %p %P %r %R %s %S %T %u %U %V %w %W %x %X %y %Y %z %% %q";
    let cases = cases("dates");
    let mut program = Program::new();
    let mut differences = vec![];
    for case in &cases {
        program.guest.reset();
        let [moment, formatted, text] = &case[..] else { panic!("{case:?}") };
        let place = program.guest.cells(&[decimal(moment) as u64]);
        let (format, to) = (program.text(FORMATS), program.guest.put(&[0; 512]));
        let date = program.call("gmtime", &[place]);
        let count = program.call("strftime", &[to, 400, format, date]);
        let found = program.guest.string(to);
        assert_eq!(count, found.len() as u64);
        let line = program.call("asctime", &[date]);
        let found = (found, program.guest.string(line).trim_end().to_owned());
        if found != (formatted.clone(), text.clone()) {
            differences.push(format!("{moment}:\n{found:?}, glibc\n{formatted:?}, {text:?}"));
        }
    }
    none(&differences, cases.len(), 150);
}

#[test]
fn fields_of_dates_are_brought_into_their_ranges_as_glibc_does() {
    let cases = cases("timegm");
    let mut program = Program::new();
    let mut differences = vec![];
    for case in &cases {
        program.guest.reset();
        let [given, seconds, fields] = &case[..] else { panic!("{case:?}") };
        let mut bytes: Vec<u8> =
            given.split(", ").flat_map(|field| (decimal(field) as i32).to_le_bytes()).collect();
        bytes.resize(56, 0);
        let date = program.guest.put(&bytes);
        let found = program.call("timegm", &[date]) as i64;
        let after: Vec<String> = (0..8).map(|at| program.guest.int(date + 4 * at).to_string()).collect();
        if found != decimal(seconds) || after.join(" ") != *fields {
            differences.push(format!("{given}: {found} {after:?}, glibc {seconds} {fields}"));
        }
    }
    none(&differences, cases.len(), 100);
}

#[test]
fn scanf_stores_what_glibc_stores() {
    let cases = cases("scanf");
    let mut differences = vec![];
    for case in &cases {
        let [template, written, count, first, second] = &case[..] else { panic!("{case:?}") };
        let mut program = Program::new();
        let text = written.replace("\\t", "\t").replace("\\n", "\n");
        let (text, format) = (program.text(&text), program.text(template));
        let places = [(); 3].map(|()| program.guest.put(&[0; 64]));
        let found = program.variadic("sscanf", &[text, format], &places) as i32;
        let bytes = |at: usize| -> String {
            program.guest.bytes(places[at], 16).iter().map(|byte| format!("{byte:02x}")).collect()
        };
        let found = (found.to_string(), bytes(0), bytes(1));
        if found != (count.clone(), first.clone(), second.clone()) {
            differences.push(format!("{template} of `{written}`: {found:?}, glibc {count} {first} {second}"));
        }
    }
    none(&differences, cases.len(), 60);
}

#[test]
fn getopt_finds_and_moves_what_glibc_does() {
    let cases = cases("getopt");
    let mut differences = vec![];
    for case in &cases {
        let [short, line, found, after] = &case[..] else { panic!("{case:?}") };
        let mut program = Program::new();
        let words: Vec<&str> =
            ["prog"].into_iter().chain(line.split(' ').filter(|word| !word.is_empty())).collect();
        let mut vector: Vec<u64> = words.iter().map(|word| program.text(word)).collect();
        let count = vector.len() as u64;
        vector.push(0);
        let (vector, short) = (program.guest.cells(&vector), program.text(short));
        let mut names = vec![];
        for (name, argument, value) in [
            ("verbose", 0, b'v' as u64),
            ("size", 1, b's' as u64),
            ("level", 2, b'l' as u64),
            ("version", 0, 1000),
            ("sizes", 0, 1001),
        ] {
            names.extend([program.text(name), argument, 0, value]);
        }
        names.extend([0; 4]);
        let names = program.guest.cells(&names);
        let [arg, ind, err, opt] = ["optarg", "optind", "opterr", "optopt"]
            .map(|name| program.call(&format!("__{name}_location"), &[]));
        program.guest.write(ind, &[0; 4]).expect("optind");
        program.guest.write(err, &[0; 4]).expect("opterr");
        let mut shown = String::new();
        loop {
            let option = program.int("getopt_long", &[count, vector, short, names, 0]);
            if option == -1 {
                break;
            }
            let argument = program.guest.long(arg) as u64;
            let argument = if argument == 0 { String::new() } else { program.guest.string(argument) };
            let bad = if option == '?' as i32 || option == ':' as i32 { program.guest.int(opt) } else { 0 };
            shown += &format!("{option}:{argument}:{bad} ");
        }
        let moved = (1..count)
            .map(|at| format!(" {}", program.guest.string(program.guest.long(vector + 8 * at) as u64)));
        let rest = format!("{}{}", program.guest.int(ind), moved.collect::<String>());
        if (&shown, &rest) != (found, after) {
            differences.push(format!("{case:?}: {shown} / {rest}"));
        }
    }
    none(&differences, cases.len(), 120);
}

#[test]
fn classes_of_characters_and_texts_of_errors_are_those_of_glibc() {
    let mut program = Program::new();
    let mut differences = vec![];
    let cases = cases("tables");
    for case in &cases {
        match &case[..] {
            [function, number, text] if function == "strerror" => {
                let number = decimal(number);
                let address = program.call("strerror", &[number as u64]);
                let found = program.guest.string(address);
                // Of the errors of networks and streams, which no function here gives, it has only the number.
                if found != *text && found != format!("Unknown error {number}") {
                    differences.push(format!("{number}: {found}, glibc {text}"));
                }
            }
            [function, values] => {
                for (byte, value) in (-1i64..).zip(values.split_whitespace()) {
                    let found = program.call(function, &[byte as u64]) as i32;
                    if i64::from(found) != decimal(value) {
                        differences.push(format!("{function} of {byte}: {found}, glibc {value}"));
                    }
                }
            }
            _ => panic!("{case:?}"),
        }
    }
    none(&differences, cases.len(), 140);
}

/// How many numbers apart two are, of a format whose bits are in `0..=sign`.
fn apart(one: u64, two: u64, sign: u64) -> u64 {
    let ordered = |bits: u64| if bits & sign != 0 { -((bits & !sign) as i128) } else { bits as i128 };
    (ordered(one) - ordered(two)).unsigned_abs() as u64
}

/// Functions that are more than two numbers from glibc's at some of the points, and how far: near their zeros.
const FARTHER: &[(&str, u64)] = &[("lgamma", 21), ("lgammaf", 23), ("tgammaf", 3), ("j0", 3)];

#[test]
fn mathematics_is_within_the_last_bits_of_glibc() {
    let cases = cases("math");
    let mut program = Program::new();
    let mut differences = vec![];
    for case in &cases {
        let [function, points, expected] = &case[..] else { panic!("{case:?}") };
        let points: Vec<u64> = points.split(' ').map(hex).collect();
        let (found, expected) = (program.call(function, &points), hex(expected));
        let single = program.signature(function).starts_with('f');
        let number =
            |bits: u64| if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
        if number(found).is_nan() && number(expected).is_nan() {
            continue;
        }
        let sign = if single { 1 << 31 } else { 1 << 63 };
        let most = FARTHER.iter().find(|(name, _)| name == function).map_or(2, |(_, most)| *most);
        let far = apart(found, expected, sign);
        if far > most {
            differences.push(format!(
                "{function} of {points:x?}: {} apart, {} for {}",
                far,
                number(found),
                number(expected)
            ));
        }
    }
    none(&differences, cases.len(), 5000);
}
