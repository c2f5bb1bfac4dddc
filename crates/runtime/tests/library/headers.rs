//! The headers of host code, next to the library's table.

use runtime::library::{implicit, rows};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The headers' folder.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cuda/library/host")
}

/// The headers of C, and what they have in common. (Those of C++ and of CUDA are in the same folder.)
const OF_C: &[&str] = &[
    "abs.inc",
    "assert.h",
    "ctype.h",
    "dirent.h",
    "errno.h",
    "fcntl.h",
    "getopt.h",
    "heap.inc",
    "inttypes.h",
    "malloc.h",
    "math.h",
    "math_overloads.inc",
    "omp.h",
    "option_variables.inc",
    "stdarg.h",
    "stdbool.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/mman.h",
    "sys/resource.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/types.h",
    "time.h",
    "timespec.inc",
    "unistd.h",
];
/// Those that put their names into namespace `std`.
const OF_STD: &[&str] = &[
    "cassert",
    "cctype",
    "cerrno",
    "cinttypes",
    "cmath",
    "cstdarg",
    "cstdbool",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
];

/// Letter of a type, by its words.
fn letter(ty: &str) -> Result<char, String> {
    if ty.contains(['*', '[']) {
        return Ok('p');
    }
    let words: Vec<&str> = ty.split_whitespace().collect();
    Ok(match words[..] {
        ["va_list" | "__compare_function" | "__exit_function"] => 'p',
        ["void"] => 'v',
        ["float"] => 'f',
        ["double"] => 'd',
        ["int" | "unsigned" | "mode_t" | "useconds_t" | "clockid_t" | "pid_t"] => 'i',
        ["long" | "size_t" | "ssize_t" | "off_t" | "time_t" | "clock_t"] => 'l',
        ["long" | "unsigned", "long"] | ["unsigned", "long", "long"] => 'l',
        _ => return Err(format!("a type without a letter: {ty}")),
    })
}

/// A declaration's type without its name.
fn without_name(declaration: &str) -> (&str, &str) {
    let declaration = declaration.trim();
    let start = declaration.rfind(|one: char| !one.is_alphanumeric() && one != '_').map_or(0, |at| at + 1);
    declaration.split_at(start)
}

/// Name and letters of a function's declaration.
fn signature(line: &str) -> Result<(String, String), String> {
    let line = line.trim_start_matches("[[noreturn]] ").trim_end_matches(");");
    let (before, parameters) = line.split_once('(').ok_or(format!("no function: {line}"))?;
    let (result, name) = without_name(before);
    let mut letters = String::from(letter(result)?);
    for parameter in parameters.split(',').filter(|parameter| *parameter != "void") {
        letters.push(match parameter.trim() {
            "..." => '.',
            parameter => letter(without_name(parameter).0)?,
        });
    }
    Ok((name.to_owned(), letters))
}

/// Functions that the headers declare.
fn declared() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for file in OF_C {
        let text = fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut inside = false;
        for line in text.lines() {
            match line {
                "extern \"C\" {" => inside = true,
                "}" => inside = false,
                line if inside => {
                    let (name, letters) = signature(line).unwrap_or_else(|error| panic!("{file}: {error}"));
                    let before = all.insert(name.clone(), letters.clone());
                    assert!(
                        before.is_none_or(|before| before == letters),
                        "{file}: {name} differs from another header's"
                    );
                }
                _ => {}
            }
        }
    }
    all
}

#[test]
fn headers_declare_the_functions_of_the_table_with_their_types() {
    let declared = declared();
    let table: BTreeMap<String, String> =
        rows().map(|row| (row.name.to_owned(), row.signature.to_owned())).collect();
    assert_eq!(table.len(), rows().count(), "a function has two rows");
    assert!(table.len() > 300, "{}", table.len());
    for (name, letters) in &table {
        assert_eq!(declared.get(name), Some(letters), "{name}");
    }
    for name in declared.keys() {
        assert!(table.contains_key(name), "{name} is declared and not in the table");
    }
    for row in implicit() {
        assert!(!declared.contains_key(row.name), "{} is declared", row.name);
    }
}

#[test]
fn letters_are_those_of_the_documentation() {
    for row in rows().chain(implicit()) {
        let (result, parameters) = row.signature.split_at(1);
        assert!("vilfdp".contains(result), "{}: {}", row.name, row.signature);
        let plain = parameters.strip_suffix('.').unwrap_or(parameters);
        assert!(plain.chars().all(|letter| "ilfdp".contains(letter)), "{}: {}", row.name, row.signature);
    }
}

/// A program that uses what a test of names alone would not notice.
const USES: &str = r#"
#include <math.h>
extern char *optarg;
extern int optind, opterr, optopt;
static_assert(sizeof(struct stat) == 144 && sizeof(struct tm) == 56, "as the library writes them");
static_assert(sizeof(struct dirent) == 280, "as the library writes it");
static_assert(sizeof(struct rusage) == 144 && sizeof(struct option) == 32, "as the library writes them");
static_assert(__is_same(decltype(sin(1.0f)), float) && __is_same(decltype(sin(1)), double), "");
static_assert(__is_same(decltype(pow(1.0f, 2.0f)), float) && __is_same(decltype(pow(1.0f, 2)), double), "");
static_assert(__is_same(decltype(pow(2, 3)), double) && __is_same(decltype(fmax(1.0f, 2.0)), double), "");
static_assert(__is_same(decltype(abs(-1.0f)), float) && __is_same(decltype(std::abs(1L)), long), "");
int classes() { return std::isnan(3) + isinf(2.0f) + int(floor(3)) + signbit(2.0) + fpclassify(1.0f) + std::isnormal(1.0); }
int main(int argc, char **argv)
{
    assert(argc > 0);
    errno = 3;
    optind = 1;
    struct option names[] = {{"size", required_argument, 0, 's'}};
    fprintf(stderr, "%" PRId64 " %d\n", int64_t(3), classes());
    return getopt_long(argc, argv, "s:", names, NULL) + (int)strtol(argv[1], NULL, 10);
}
"#;

#[test]
fn headers_are_valid_for_gcc_all_in_one_source() {
    let found = Command::new("g++").arg("--version").output().is_ok_and(|output| output.status.success());
    if !tests::tools::is_there_or_skipped("g++", found, "every distribution has it in its packages") {
        return;
    }
    let folder = folder();
    let names = OF_C.iter().chain(OF_STD).filter(|file| !file.ends_with(".inc"));
    let includes: String = names.map(|file| format!("#include <{file}>\n")).collect();
    let source = tempfile::Builder::new().suffix(".cpp").tempfile().expect("a file");
    // What the compiler itself has: `size_t`, and the types of given widths.
    let before = "typedef decltype(sizeof 0) size_t;\n#include \"fixed.cuh\"\n";
    fs::write(source.path(), format!("{before}{includes}{USES}")).expect("a file");
    let checked = Command::new("g++")
        .args(["-std=c++17", "-fsyntax-only", "-nostdinc", "-fno-builtin", "-Wall", "-Wextra", "-Werror"])
        // Those of the program's own declarations of `optarg`, which is a macro.
        .arg("-Wno-parentheses")
        .arg("-I")
        .arg(&folder)
        .arg("-I")
        .arg(folder.join(".."))
        .arg(source.path())
        .output()
        .expect("g++ runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

/// Functions that headers of C++ declare at the beginning of a line and do not define there.
fn only_declared(text: &str) -> impl Iterator<Item = &str> {
    let other = ["inline", "template", "typedef", "using", "extern", "static_assert", "auto", "#", "}", "["];
    let lines = text.lines().filter(move |line| {
        line.starts_with(|one: char| one.is_ascii_alphabetic())
            && !other.iter().any(|word| line.starts_with(word))
    });
    lines.filter_map(|line| {
        let (before, _) = line.strip_suffix(");")?.split_once('(')?;
        before.contains(' ').then(|| without_name(before).1)
    })
}

#[test]
fn what_the_headers_of_cpp_declare_they_define_or_the_library_has() {
    let mut texts = vec![];
    for entry in fs::read_dir(folder()).expect("headers") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_file() && !name.ends_with(".h") && !OF_C.contains(&&*name) && !name.ends_with(".txt") {
            texts.push((name, fs::read_to_string(&path).expect("a text")));
        }
    }
    let mut seen = 0;
    for (file, text) in &texts {
        let mut inside = false;
        let own: String = text
            .lines()
            .filter(|line| {
                inside |= *line == "extern \"C\" {";
                let kept = !inside;
                inside &= *line != "}";
                kept
            })
            .map(|line| format!("{line}\n"))
            .collect();
        for name in only_declared(&own).filter(|name| !["new", "new[]", "delete", ""].contains(name)) {
            seen += 1;
            let call = format!("{name}(");
            let defines = |line: &str| line.contains(&call) && !line.trim_end().ends_with(';');
            assert!(
                texts.iter().any(|(_, text)| text.lines().any(defines)),
                "{file}: {name} is declared alone"
            );
        }
    }
    assert!(seen > 0);
}
