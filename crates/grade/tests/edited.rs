//! Records of labs whose kernels were edited, through the real binary.
#![allow(clippy::unwrap_used, missing_docs)]

use labs::{Limits, RecordedSource, Request};
use record::{Fact, Kernel, Record};
use std::fs;
use tests::program::{stderr, stdout};

/// A chip of few multiprocessors.
const CHIP: &str = "gtx970";
const FILE: &str = "ch4-4/symbols.cu";

/// The source of the lab's kernel with a change.
fn source(of: &kernels::Source, from: &str, to: &str) -> String {
    assert!(of.cu.contains(from), "the kernel no longer has {from}");
    of.cu.replace(from, to)
}

/// A record of lab 4.4 with an edited kernel, as the lab writes it.
fn record(file: &str, source: &str) -> Record {
    record_of(&labs::lab_4_4::LAB, file, source)
}

fn record_of(lab: &labs::Lab, file: &str, source: &str) -> Record {
    let limits = Limits { instructions: 1 << 34, memory_bytes: 1 << 30 };
    let held = RecordedSource { file: file.to_owned(), text: source.to_owned(), options: vec![] };
    let parameters = Request::small(lab.sizes, 5).parameters();
    let mut record = labs::rerun_of(
        lab,
        &parameters,
        None,
        CHIP,
        None,
        labs::Edited { held: &[held], own: compile::own },
        limits,
    )
    .unwrap()
    .record;
    labs::judge(lab, &mut record);
    record.when = "2026-01-31T10:00:00Z".to_owned();
    record
}

fn kernel(record: &mut Record) -> &mut Kernel {
    record.kernels.iter_mut().find(|kernel| kernel.file == FILE).unwrap()
}

/// Results of `grade` for these students' records: the row of `grades.csv` and the report of each.
fn graded(records: Vec<(&str, Record)>) -> Vec<(csv::StringRecord, String)> {
    graded_by("", records)
}

/// The same by rules of the course's own.
fn graded_by(rules: &str, records: Vec<(&str, Record)>) -> Vec<(csv::StringRecord, String)> {
    let folder = tempfile::tempdir().unwrap();
    for (at, (student, mut record)) in records.iter().cloned().enumerate() {
        let fact = Fact { value: 1e7 + at as f64, unit: "1/s".into(), what: "of this machine".into() };
        record.facts.insert(labs::HOST_SPEED.to_owned(), fact);
        let path = folder.path().join("submissions").join(student);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("lab-4-4.json"), record.to_json().unwrap()).unwrap();
    }
    fs::write(folder.path().join("course.toml"), rules).unwrap();
    let line = "submissions --out grades --seed 734098265112771 --timeout 100 --rules course.toml";
    let output = tests::program::run(env!("CARGO_BIN_EXE_grade"), folder.path(), line).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let read = |name: &str| fs::read_to_string(folder.path().join("grades").join(name)).unwrap();
    let table = read("grades.csv");
    let rows: Vec<_> = csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
    let of = |student: &str| rows.iter().find(|row| &row[0] == student).unwrap().clone();
    records.iter().map(|(student, _)| (of(student), read(&format!("{student}.md")))).collect()
}

/// The line of a report about the sources of edited kernels.
fn line(report: &str) -> &str {
    report.lines().find(|line| line.contains("What ran of an edited kernel")).unwrap_or_default()
}

#[test]
fn an_edited_kernel_is_compiled_again_and_other_ptx_than_its_source_gives_is_reported() {
    // A comment changes the lines that the PTX names, and nothing else.
    let honest = record(FILE, &format!("// mine\n{}", kernels::SYMBOLS.cu));
    assert_eq!(honest.version, record::VERSION_WITH_SOURCES);
    let mut other = honest.clone();
    kernel(&mut other).ptx_sha256 = "0123456789abcdef".repeat(4);
    let mut unlike = honest.clone();
    kernel(&mut unlike).source = Some("__global__ void k() { }".to_owned());
    let mut nvcc = honest.clone();
    (kernel(&mut nvcc).compiler, kernel(&mut nvcc).source) = (Some("nvcc 12.4".to_owned()), None);
    nvcc.version = record::VERSION;
    let mut older = honest.clone();
    kernel(&mut older).source = None;
    older.version = record::VERSION;
    let of = graded(vec![("ada", honest), ("bob", other), ("carl", unlike), ("dora", nvcc), ("eve", older)]);
    for ((row, report), (flags, said)) in of.iter().zip([
        ("edited-kernel", "✓ | 1 of 1 edited kernels"),
        ("edited-kernel; other-ptx", "the PTX of `ch4-4/symbols.cu` that ran (SHA-256 01234567…) is not what the record's source gives"),
        ("edited-kernel; not-recompiled", "the source in the record is not the one whose hash it states"),
        ("edited-kernel; not-recompiled", "`nvcc 12.4` compiled it, which only its owner has; the re-run is of the workbook's kernel in its place"),
        ("edited-kernel; not-recompiled", "the record does not hold its source"),
    ]) {
        assert_eq!(&row[row.len() - 3], flags, "{report}");
        assert!(line(report).contains(said), "{}", line(report));
    }
}

#[test]
fn a_rerun_is_of_the_edited_kernel() {
    let from = "out[threadIdx.x] = values[0] +";
    let more = "out[threadIdx.x] = (values[threadIdx.x % 2] == 0xdeadbeefu) + values[0] +";
    let mut honest = record(kernels::UPDATE.file, &source(&kernels::UPDATE, from, more));
    // With the lab's own kernel elsewhere.
    let mut without = honest.clone();
    without.kernels.iter_mut().for_each(|kernel| kernel.source = None);
    without.version = record::VERSION;
    honest.when = "2026-01-31T10:00:01Z".to_owned();
    let of = graded(vec![("ada", honest), ("bob", without)]);
    let (row, report) = &of[0];
    assert_eq!(&row[row.len() - 3], "edited-kernel", "{report}");
    assert_eq!(&row[5], "graded");
    // Without the source the counters differ, since the re-run is of the workbook's kernel.
    let (row, report) = &of[1];
    assert_eq!(
        &row[row.len() - 3],
        "edited-kernel; not-recompiled; differs:counters; differs:times",
        "{report}"
    );
}

/// An honest record with another source in it, which it says was compiled.
fn with(honest: &Record, text: String) -> Record {
    let mut record = honest.clone();
    record.version = record::VERSION_WITH_SOURCES;
    let kernel = kernel(&mut record);
    (kernel.cu_sha256, kernel.compiler) = (kernels::sha256(&text), Some(kernels::OWN.to_owned()));
    kernel.source = Some(text);
    record
}

#[test]
fn figures_of_an_edited_kernel_are_those_that_it_draws() {
    let lab = &labs::lab_5_5::LAB;
    // Figures show the line of each access.
    let honest = record_of(lab, kernels::STENCIL.file, &format!("// mine\n{}", kernels::STENCIL.cu));
    assert!(!honest.traces.is_empty() && honest.traces != labs::traces(lab).unwrap());
    let mut other = honest.clone();
    other.traces[0].title += ", of mine";
    for ((row, report), (flags, said)) in graded(vec![("ada", honest), ("bob", other)])
        .iter()
        .zip([("edited-kernel", "✓ | 5 of 5 figures"), ("edited-kernel; differs:figures", "is another")])
    {
        assert_eq!(&row[row.len() - 3], flags, "{report}");
        assert!(report.contains(said), "{report}");
    }
}

/// It is the student's source that takes so long, whatever else the machine does: the lab stays in the total.
#[cfg(target_os = "linux")]
#[test]
fn a_source_that_compiles_for_too_long_has_no_points_and_its_lab_counts() {
    let honest = record(FILE, kernels::SYMBOLS.cu);
    let slow = format!("__device__ int g(int x) {{ {} return x; }}\n", "if(x/7)x+=9;".repeat(80_000));
    let of = graded_by("limits.seconds = 1", vec![("ada", with(&honest, slow + kernels::SYMBOLS.cu))]);
    let (row, report) = &of[0];
    assert_eq!((&row[5], &row[6]), ("not-rerun", "yes"), "{report}");
    assert!(report.contains("was ended after 1 s of processor time"), "{report}");
    assert!(report.contains("**0 of 13 points"), "{report}");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_hostile_source_in_a_record_is_reported_and_ends() {
    let honest = record(FILE, kernels::SYMBOLS.cu);
    let with = |text: String| with(&honest, text);
    let macros = |n: usize| format!("#define M{} M{n} M{n}\n", n + 1);
    let bomb = format!("#define M0 x\n{}int y = M60;\n", (0..60).map(macros).collect::<String>());
    let of = graded(vec![
        ("loop", with(source(&kernels::SYMBOLS, "int i = ", "while (true) { }\n int i = "))),
        ("bomb", with(format!("{bomb}{}", kernels::SYMBOLS.cu))),
        ("passwd", with(format!("#include \"/etc/passwd\"\n{}", kernels::SYMBOLS.cu))),
        ("none", with("__global__ void k() { }".to_owned())),
        ("empty", with(String::new())),
        ("beyond", with(source(&kernels::SYMBOLS, "if (i < n) out[i]", "out[i + (1 << 24)]"))),
    ]);
    for ((row, report), said) in of.iter().zip([
        "it cannot be run again",
        "`ch4-4/symbols.cu does not compile",
        "`ch4-4/symbols.cu does not compile",
        "it has no kernel",
        "it has no kernel",
        "it cannot be run again",
    ]) {
        assert_eq!(&row[5], "not-rerun", "{report}");
        assert!(report.contains(said) && !report.contains("root:"), "{report}");
    }
}
