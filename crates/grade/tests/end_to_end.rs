//! The real binary over a folder of submissions of every kind.
#![allow(clippy::unwrap_used, missing_docs)]

use labs::{Limits, Parameters};
use record::{Device, Fact, Parameter, Record, TimeSource, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
#[cfg(target_os = "linux")]
use tests::program::{command, loses_nothing_silently};
use tests::program::{stderr, stdout};

const SEED: u64 = 5;

/// A chip of few multiprocessors, since lab 5.5 has launches with blocks for each.
const CHIP: &str = "gtx970";

/// Record of a quick run of a lab, with a fixed date.
fn run(lab: &labs::Lab, parameters: &Parameters) -> Record {
    let limits = Limits { instructions: 1 << 34, memory_bytes: 1 << 30 };
    let mut record = labs::rerun(lab, parameters, None, CHIP, limits).unwrap();
    record.traces = labs::traces(lab).unwrap();
    record.when = "2026-01-31T10:00:00Z".to_owned();
    record
}

/// A small record of a lab, for tests that do not depend on its sizes.
fn small(lab: &labs::Lab, seed: u64) -> Record {
    run(lab, &labs::Request::small(lab.sizes, seed).parameters())
}

/// A record of one machine, so that no two are the same run.
fn on_machine(record: &Record, speed: f64) -> Record {
    let mut record = record.clone();
    let fact = Fact { value: speed, unit: "1/s".to_owned(), what: "of this machine".to_owned() };
    record.facts.insert("host_thread_instructions_per_second".to_owned(), fact);
    record
}

/// An honest record of lab 5.5, which has everything that a record can have.
fn rich(speed: f64) -> Record {
    static RICH: LazyLock<Record> = LazyLock::new(|| {
        let parameters = Parameters::from([
            ("quick".to_owned(), Parameter::Flag(true)),
            ("elements".to_owned(), Parameter::Integer(4096)),
            ("seed".to_owned(), Parameter::Integer(SEED)),
        ]);
        run(&labs::lab_5_5::LAB, &parameters)
    });
    on_machine(&RICH, speed)
}

/// An honest record of lab 4.4, the one that is run again soonest, for tests that do not depend on the lab.
fn plain(speed: f64) -> Record {
    static PLAIN: LazyLock<Record> = LazyLock::new(|| small(&labs::lab_4_4::LAB, SEED));
    on_machine(&PLAIN, speed)
}

fn altered(speed: f64, change: impl FnOnce(&mut Record)) -> String {
    let mut record = rich(speed);
    change(&mut record);
    // Not through `to_json`, which refuses impossible values.
    serde_json::to_string(&record).unwrap()
}

/// A folder of submissions, and one for the grades.
struct Course(tempfile::TempDir);

impl Course {
    fn new() -> Self {
        let course = Course(tempfile::tempdir().unwrap());
        fs::create_dir(course.submissions()).unwrap();
        course
    }

    fn submissions(&self) -> PathBuf {
        self.0.path().join("submissions")
    }

    fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.submissions().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn grade(&self, line: &str) -> Output {
        grade(self.0.path(), &format!("submissions --out grades {line}"))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

fn grade(folder: &Path, line: &str) -> Output {
    tests::program::run(env!("CARGO_BIN_EXE_grade"), folder, line).unwrap()
}

/// Submissions of every kind, by the first letter of the student.
fn every_kind() -> Course {
    let course = Course::new();
    let ada = rich(1e8).to_json().unwrap();
    course.put("ada/lab-5-5.json", &ada);
    course.put("ada/lab-5-5/stencil.svg", "<svg/>");
    course.put("carl/lab-5-5.json", &ada);
    course.put("nils/a/b/c/d/e/lab-5-5.json", &ada);
    course.put("stray.json", &ada);
    fs::create_dir(course.submissions().join("ida")).unwrap();
    unreadable(&course);
    of_other_devices(&course);
    of_other_contents(&course);
    of_hostile_text(&course);
    course
}

/// Files that are not records.
fn unreadable(course: &Course) {
    course.put("dora/a.json", "");
    course.put("dora/b.json", b"{\"version\": \xff}");
    course.put("dora/c.json", "{\"version\": 2, \"lab\": \"lab-5-5\"");
    course.put("dora/d.json", "{\"version\": 99}");
    course.put("dora/e.json", "[".repeat(10_000));
    course.put(
        "dora/f.json/lab-5-5.json",
        altered(3e8, |r| {
            r.experiments[0].series[0].points[0].y = f64::NAN;
        }),
    );
}

/// Records of a chip that is not known, and of a GPU.
fn of_other_devices(course: &Course) {
    course.put(
        "bob/week 3/run.JSON",
        altered(2e8, |r| {
            r.device = Device::Simt {
                chip: "nosuchchip".into(),
                models: "NVIDIA X".into(),
                compute_capability: "9.0".into(),
                multiprocessors: 132,
            };
        }),
    );
    course.put(
        "hal/lab-5-5.json",
        altered(7e8, |r| {
            r.device = Device::Gpu {
                name: "NVIDIA <b>RTX</b>".into(),
                compute_capability: "8.9".into(),
                driver: "12.4".into(),
                multiprocessors: 1,
            };
            let points = r.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points);
            for time in points.filter_map(|point| point.time.as_mut()) {
                (time.is, time.calls) = (TimeSource::Measured, 15);
                time.max_ns *= 1.01;
            }
        }),
    );
}

/// Records whose counters, kernels or parameters are not a lab's.
fn of_other_contents(course: &Course) {
    course.put(
        "eve/lab-5-5.json",
        altered(4e8, |r| {
            let point = &mut r.experiments[0].series[0].points[0];
            *point.counters.get_mut("global_load_sectors").unwrap() -= 1;
            point.y *= 2.0;
            point.y_max = point.y;
        }),
    );
    course.put("fay/lab-5-5.json", altered(5e8, |r| r.kernels[0].cu_sha256 = "ab".repeat(32)));
    course.put("fay/stencil.cu", "__global__ void stencil() {}");
    course.put(
        "gus/lab-5-5.json",
        altered(6e8, |r| {
            r.parameters.insert("elements".to_owned(), Parameter::Integer(1 << 60));
        }),
    );
}

/// Records whose texts are markup or formulas, and a student who hands in several.
fn of_hostile_text(course: &Course) {
    course.put("=cmd|' calc'!A0/+1.json", altered(8e8, |r| r.lab = "<script>alert(1)</script>".into()));
    course.put(
        "lee/lab-5-5.json",
        altered(9e8, |r| {
            r.facts.values_mut().next().unwrap().value += 1.0;
            r.claims[0].verdict = match r.claims[0].verdict {
                Verdict::Holds => Verdict::DoesNotHold,
                _ => Verdict::Holds,
            };
            r.claims[0].why = "| <img src=x onerror=alert(1)> | `".into();
            (r.checks[0].passed, r.checks[0].found) = (false, "| <b>nothing</b> `\u{202e}\u{1b}[2J".into());
        }),
    );
    course.put("lee/older.json", altered(9.5e8, |r| r.checks.clear()));
    course.put("lee/again.json", fs::read(course.submissions().join("lee/lab-5-5.json")).unwrap());
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn every_file_of_every_kind_has_its_row_and_two_gradings_are_the_same() {
    let course = every_kind();
    let output = course.grade("--seed 48611");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
    // Labs will be added.
    let labs = labs::ALL.iter().map(|lab| lab.name).collect::<Vec<_>>().join(", ");
    insta::assert_snapshot!("grades", course.read("grades/grades.csv").replace(&labs, "LABS"));
    insta::assert_snapshot!("students", course.read("grades/students.csv"));
    insta::assert_snapshot!("report", course.read("grades/eve.md"));
    insta::assert_snapshot!("escapes", course.read("grades/lee.md"));
    insta::assert_snapshot!("terminal", stdout(&output));

    let first: Vec<_> = files(&course.0.path().join("grades"));
    fs::rename(course.0.path().join("grades"), course.0.path().join("before")).unwrap();
    course.grade("--seed 48611 --jobs 1");
    assert_eq!(first, files(&course.0.path().join("grades")));
}

/// The book's page explains every word that the table has.
#[test]
fn the_page_for_instructors_has_every_status_and_column() {
    let page = include_str!("../../../book/src/grading.md");
    let statuses = include_str!("../src/status.rs").split("=> \"").skip(1);
    let statuses: Vec<_> = statuses.filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(statuses.len(), 19);
    for word in statuses {
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
    let header = include_str!("snapshots/all__end_to_end__grades.snap").lines().nth(4).unwrap();
    let checks: Vec<_> = header.split(',').map(|cell| cell.trim_matches('"')).collect();
    for word in checks[..10].iter().chain(&checks[checks.len() - 3..]) {
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn what_many_students_ask_for_is_run_once() {
    let course = Course::new();
    for i in 0..12 {
        course.put(&format!("student {i}/lab-4-4.json"), plain(1e8 + f64::from(i)).to_json().unwrap());
    }
    let output = course.grade("");
    assert!(stdout(&output).contains("rerun 2 times"), "{}", stdout(&output));
    assert_eq!(course.read("grades/students.csv").matches(",100,").count(), 12);
}

fn honest_records_lose_nothing(labs: &[&labs::Lab]) {
    let course = Course::new();
    for lab in labs {
        course.put(&format!("ada/{}.json", lab.name), small(lab, SEED).to_json().unwrap());
    }
    course.grade("");
    let students = course.read("grades/students.csv");
    assert!(students.contains(",100,"), "{students}{}", course.read("grades/ada.md"));
    assert_eq!(students.matches("lab-").count(), labs.len(), "{students}");
    assert!(students.contains("\",\"\",0,\"ada.md\""), "a flag: {students}");
}

#[test]
fn honest_records_of_two_labs_lose_nothing() {
    honest_records_lose_nothing(&[&labs::lab_4_1::LAB, &labs::lab_4_2::LAB]);
}

mod nightly {
    #[test]
    #[ignore = "nightly: runs every lab twice"]
    fn an_honest_record_of_every_lab_loses_nothing() {
        super::honest_records_lose_nothing(labs::ALL);
    }
}

/// Each was once graded with all points and without a flag.
#[test]
fn forged_records_lose_points_or_are_flagged() {
    let course = Course::new();
    let honest = small(&labs::lab_4_3::LAB, SEED);
    let mut minute = 0;
    let mut forged = |name: &str, change: &dyn Fn(&mut Record)| {
        minute += 1;
        let mut record = Record { when: format!("2026-01-31T10:{minute:02}:00Z"), ..honest.clone() };
        change(&mut record);
        course.put(&format!("{name}/lab-4-3.json"), serde_json::to_string(&record).unwrap());
    };
    forged("honest", &|_| {});
    fn points(record: &mut Record) -> impl Iterator<Item = &mut record::Point> {
        record.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points)
    }
    let gpu = Device::Gpu {
        name: "NVIDIA H200".into(),
        compute_capability: "9.0".into(),
        driver: "13.0".into(),
        multiprocessors: 132,
    };
    forged("seed", &|r| drop(r.parameters.insert("seed".into(), Parameter::Integer(SEED + 1))));
    forged("never-run", &|r| {
        r.experiments.clear();
        r.checks.clear();
        r.facts.clear();
        r.claims.clear();
    });
    forged("gpu-without-times", &|r| {
        r.device = gpu.clone();
        points(r).for_each(|p| p.time = None);
    });
    forged("gpu-of-the-model", &|r| {
        r.device = gpu.clone();
        for point in points(r) {
            let time = point.time.as_mut().unwrap();
            (time.is, time.calls) = (TimeSource::Measured, 15);
            for ns in [&mut time.median_ns, &mut time.mean_ns, &mut time.min_ns, &mut time.max_ns] {
                *ns *= 50.0;
            }
            time.max_ns *= 1.01;
        }
    });
    forged("unit", &|r| r.experiments[0].y.unit.push(' '));
    forged("spread", &|r| points(r).for_each(|p| p.y_max *= 1.1));
    forged("calls", &|r| points(r).for_each(|p| p.time.as_mut().unwrap().calls = 300));
    forged("trace", &|r| r.traces[0].title.push('!'));
    forged("text", &|r| r.checks[0].found = "all is right".into());
    forged("title", &|r| r.experiments[0].title = "Mine".into());
    forged("reason", &|r| r.claims[0].why = "because".into());
    forged("fact", &|r| {
        let (value, unit, what) = (1.0, String::new(), "made up".to_owned());
        r.facts.insert("host_speed".to_owned(), Fact { value, unit, what });
    });
    let committed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/records/embedded-h200/lab-4-4.json");
    course.put("committed/lab-4-4.json", fs::read(committed).unwrap());
    course.grade("");
    for row in course.read("grades/grades.csv").lines().skip(1) {
        if row.starts_with("\"honest\"") {
            assert!(row.contains(",13,13,100,") && row.contains(",\"\",\"\",\"honest.md\""), "{row}");
            continue;
        }
        let flagged = ["differs:", "not-run", "workbook-record:"].iter().any(|flag| row.contains(flag));
        assert!(flagged, "{row}");
    }
    for row in course.read("grades/students.csv").lines().skip(1) {
        if ["\"never-run\"", "\"committed\""].iter().any(|name| row.starts_with(name)) {
            assert_eq!(row.split(',').nth(3), Some("0"), "{row}");
        }
        if ["\"seed\"", "\"gpu", "\"unit", "\"spread", "\"calls"].iter().any(|name| row.starts_with(name)) {
            assert!(!row.contains(",100,"), "{row}");
        }
    }
}

#[test]
fn a_course_can_give_each_student_a_seed() {
    let course = Course::new();
    let lab = &labs::lab_4_4::LAB;
    course.put("ada/lab-4-4.json", small(lab, 17).to_json().unwrap());
    course.put("bob/lab-4-4.json", small(lab, 17).to_json().unwrap());
    course.put("carl/lab-4-4.json", small(lab, 19).to_json().unwrap());
    course.put("emil/lab-4-4.json", small(lab, 23).to_json().unwrap());
    fs::write(course.0.path().join("seeds.csv"), "student,seed\nada,17\nbob,18\ndora,20\nemil,22\n").unwrap();
    let output = course.grade("--seeds seeds.csv");
    assert!(
        stdout(&output).contains("1 of those in --seeds handed in nothing: dora\n"),
        "{}",
        stdout(&output)
    );
    let grades = course.read("grades/grades.csv");
    let row = |name: &str| grades.lines().find(|row| row.starts_with(&format!("\"{name}\""))).unwrap();
    assert!(row("ada").contains(",14,14,100,"), "{grades}");
    assert!(row("emil").contains("other-seed") && row("emil").contains(",13,14,"), "{grades}");
    // A friend's record is not one's own work, and the friend need not answer for it.
    assert!(row("bob").contains("seed-of:ada; same-run-as:ada/lab-4-4.json"), "{grades}");
    assert!(row("bob").contains("\"not-own\"") && row("bob").contains(",0,14,"), "{grades}");
    assert!(!row("ada").contains("same-run-as"), "{grades}");
    assert!(!course.read("grades/ada.md").contains("another student"));
    assert!(row("carl").contains("no-own-seed") && row("carl").contains(",13,13,"), "{grades}");
}

/// A course of a few students with a seed each, so that no two share a re-run.
fn small_course() -> Course {
    let course = Course::new();
    for (i, name) in ["ada", "bob", "carl", "dora"].iter().enumerate() {
        for lab in [&labs::lab_4_1::LAB, &labs::lab_4_3::LAB, &labs::lab_4_4::LAB] {
            let record = small(lab, 100 + i as u64);
            course.put(&format!("{name}/{}.json", lab.name), record.to_json().unwrap());
        }
    }
    course
}

#[test]
fn a_grading_that_is_killed_continues_and_writes_the_bytes_of_an_unbroken_one() {
    let course = small_course();
    assert_eq!(course.grade("").status.code(), Some(0));
    let whole = files(&course.0.path().join("grades"));
    fs::rename(course.0.path().join("grades"), course.0.path().join("whole")).unwrap();
    let journal = course.0.path().join("grades/.grading.jsonl");
    let judged = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count().saturating_sub(1));
    for (at, jobs) in [(1, 2), (5, 1), (9, 3)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_grade"))
            .args(["submissions", "--out", "grades", "--resume", "--jobs", &jobs.to_string()])
            .current_dir(course.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while judged() < at && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(judged() >= at, "nothing was kept");
    }
    // As if the disk had been full: a line is cut off within a character, and so is the last.
    let mut bytes = fs::read(&journal).unwrap();
    bytes.truncate(bytes.len() - 10);
    let first = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    bytes.splice(first..first, b"{\"judged\":[\"\xe2\x80\n".iter().copied());
    bytes.extend(b"\xe2\x80");
    fs::write(&journal, &bytes).unwrap();
    // As if a report had been half written.
    fs::write(course.0.path().join("grades/.writing-1"), "# Gra").unwrap();
    let refused = course.grade("");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--resume continues it"), "{}", stderr(&refused));
    let output = course.grade("--resume");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("had been graded before and were kept"), "{}", stdout(&output));
    assert_eq!(files(&course.0.path().join("grades")), whole);
}

#[cfg(unix)]
#[test]
fn a_folder_that_another_grading_writes_is_refused() {
    let course = Course::new();
    course.put("ada/lab-4-4.json", "{}");
    fs::create_dir(course.0.path().join("grades")).unwrap();
    let lock = fs::File::open(course.0.path().join("grades")).unwrap();
    lock.lock().unwrap();
    let refused = course.grade("");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("another grading is writing to it"), "{}", stderr(&refused));
    // A lock that outlives its grading for a moment is waited for.
    let held = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        drop(lock);
    });
    assert_eq!(course.grade("").status.code(), Some(0));
    held.join().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_in_order_and_says_how_to_continue() {
    let course = small_course();
    let child = Command::new(env!("CARGO_BIN_EXE_grade"))
        .args(["submissions", "--out", "grades", "--jobs", "1"])
        .current_dir(course.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = course.0.path().join("grades/.grading.jsonl");
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 3 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("continue with the same command and --resume"), "{}", stderr(&output));
    assert!(!course.0.path().join("grades/grades.csv").exists());
    assert_eq!(course.grade("--resume").status.code(), Some(0));
    assert!(course.read("grades/students.csv").matches(",100,").count() == 4);
}

/// Points and assigned labs decide what a finding is worth, and not what was found: nothing is run again.
#[test]
#[ignore = "slow: .ci/run runs it"]
fn other_points_and_assignments_keep_every_judgement_and_give_what_a_new_grading_gives() {
    let course = small_course();
    assert_eq!(course.grade("").status.code(), Some(0));
    let rules = "assigned = ['lab-4-4']\n[[check]]\nid = 'counters'\npoints = 7\n\
                 [lab.lab-4-1.points]\nclaims = 0\n[limits]\nfiles = 100\n";
    fs::write(course.0.path().join("course.toml"), rules).unwrap();
    let output = course.grade("--rules course.toml --resume");
    assert!(stdout(&output).contains("labs were rerun 0 times"), "{}", stdout(&output));
    let kept = files(&course.0.path().join("grades"));
    course.grade("--rules course.toml");
    assert_eq!(files(&course.0.path().join("grades")), kept);
    assert!(course.read("grades/grades.csv").contains(",7,"));
    // Rules that judges read decide the findings.
    fs::write(course.0.path().join("course.toml"), "tolerance.computed = 1e-8").unwrap();
    let output = course.grade("--rules course.toml --resume");
    assert!(!stdout(&output).contains("labs were rerun 0 times"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn what_an_earlier_grading_wrote_is_not_taken_for_the_result_of_one_that_was_interrupted() {
    let course = small_course();
    assert_eq!(course.grade("").status.code(), Some(0));
    let old = course.read("grades/grades.csv");
    course.put("ada/lab-4-4/again.json", plain(9e8).to_json().unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_grade"))
        .args(["submissions", "--out", "grades", "--seed", "7"])
        .current_dir(course.0.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !course.0.path().join("grades/grades.csv.old").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!course.0.path().join("grades/grades.csv").exists());
    assert_eq!(course.read("grades/grades.csv.old"), old);
    assert_eq!(course.grade("--seed 7 --resume").status.code(), Some(0));
    let files = files(&course.0.path().join("grades"));
    assert!(files.iter().all(|(name, _)| !name.ends_with(".old")), "{files:?}");
}

/// Nothing is run until the output folder is known to be writable, and no file of others is overwritten.
#[test]
fn a_folder_that_holds_other_files_is_left_alone() {
    let course = Course::new();
    course.put("ada/lab-4-4.json", plain(1e8).to_json().unwrap());
    fs::create_dir(course.0.path().join("grades")).unwrap();
    fs::write(course.0.path().join("grades/grades.csv"), "mine").unwrap();
    let output = course.grade("");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no grading wrote"), "{}", stderr(&output));
    assert_eq!(course.read("grades/grades.csv"), "mine");
    fs::remove_file(course.0.path().join("grades/grades.csv")).unwrap();
    assert_eq!(course.grade("").status.code(), Some(0));
    // Files that the instructor puts into it later stay too.
    course.put("README/lab-4-4.json", plain(2e8).to_json().unwrap());
    fs::write(course.0.path().join("grades/README.md"), "mine").unwrap();
    let output = course.grade("--resume");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("README.md: no grading wrote"), "{}", stderr(&output));
    assert_eq!(course.read("grades/README.md"), "mine");
}

/// A student's budget is counted in instructions, so that it is the same on any machine; other students do not wait for
/// it.
#[test]
fn a_student_who_asks_for_too_much_gets_what_there_was_and_costs_no_other_student() {
    let course = small_course();
    fs::write(course.0.path().join("course.toml"), "limits.student_instructions = 10_000").unwrap();
    course.grade("--rules course.toml --jobs 1");
    let first = course.read("grades/grades.csv");
    assert!(first.contains("\"over-budget\"") && first.contains("\"graded\""), "{first}");
    for row in first.lines().filter(|row| row.contains("over-budget")) {
        assert!(row.contains(",0,13,0,"), "{row}");
    }
    course.grade("--rules course.toml --jobs 3");
    assert_eq!(first, course.read("grades/grades.csv"));
    // With fewer records before it, one that there was no budget for is graded.
    for name in ["ada", "bob", "carl", "dora"] {
        fs::remove_file(course.submissions().join(name).join("lab-4-1.json")).unwrap();
    }
    course.grade("--rules course.toml --resume");
    let resumed = course.read("grades/grades.csv");
    course.grade("--rules course.toml");
    assert_eq!(resumed, course.read("grades/grades.csv"));
}

/// The wall clock is a safety net: a re-run that it ends is reported and flagged, and costs no point.
#[test]
fn a_re_run_that_is_given_up_costs_no_point_and_is_graded_when_there_is_time() {
    let course = Course::new();
    course.put("ada/lab-4-4.json", plain(1e8).to_json().unwrap());
    let begun = std::time::Instant::now();
    let output = course.grade("--timeout 0.001");
    assert!(begun.elapsed().as_secs() < 60, "it was not ended");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 file could not be graded"), "{}", stdout(&output));
    let (grades, students) = (course.read("grades/grades.csv"), course.read("grades/students.csv"));
    assert!(grades.contains("\"not-graded\"") && grades.contains("did not end within 0.001 s"), "{grades}");
    assert!(students.contains("\"ada\",0,0,0,"), "{students}");
    assert_eq!(course.grade("").status.code(), Some(0), "nothing was kept, so nothing is lost");
    assert_eq!(course.grade("--resume").status.code(), Some(0));
    assert!(course.read("grades/students.csv").contains(",100,"));
}

#[test]
fn a_re_run_whose_grader_is_gone_ends() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grade"))
        .arg("--rerun-of-one-record")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(child.wait().is_ok());
}

#[test]
fn a_bar_is_asked_for_and_a_grade_below_it_is_exit_code_1() {
    let course = Course::new();
    course.put("ada/lab-4-4.json", plain(1e8).to_json().unwrap());
    assert_eq!(course.grade("--bar 100").status.code(), Some(0));
    fs::create_dir(course.submissions().join("bob")).unwrap();
    assert_eq!(course.grade("").status.code(), Some(0));
    assert_eq!(course.grade("--bar 0.1").status.code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let course = Course::new();
    fs::create_dir(course.submissions().join("ada")).unwrap();
    for line in ["submissions --out grades", "--help"] {
        loses_nothing_silently(command(env!("CARGO_BIN_EXE_grade"), course.0.path(), line)).unwrap();
    }
}

#[test]
fn rules_are_laid_over_the_grader_s_own() {
    let course = Course::new();
    course.put("ada/lab-4-4.json", plain(1e8).to_json().unwrap());
    fs::create_dir(course.submissions().join("bob")).unwrap();
    let rules = "assigned = ['lab-4-4']\n[lab.lab-4-4.points]\ncounters = 30";
    fs::write(course.0.path().join("course.toml"), rules).unwrap();
    assert_eq!(course.grade("--rules course.toml").status.code(), Some(0));
    let students = course.read("grades/students.csv");
    assert!(students.contains("\"ada\",41,41,100,"), "{students}");
    assert!(students.contains("\"bob\",0,41,0,"), "{students}");
}

#[test]
fn the_rules_that_the_page_for_instructors_begins_with_are_rules() {
    let course = Course::new();
    fs::create_dir(course.submissions().join("bob")).unwrap();
    fs::write(course.0.path().join("course.toml"), include_str!("../course.toml")).unwrap();
    let output = course.grade("--rules course.toml");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let students = course.read("grades/students.csv");
    assert!(students.contains("\"lab-4-5; lab-5-5\""), "{students}");
    let work = course.read("grades/work.csv");
    assert!(work.contains("exercises: tile_race") && !work.contains("exercises: vector_sum"), "{work}");
}

#[test]
fn unusable_input_is_exit_code_2_and_says_what_to_do() {
    let course = Course::new();
    course.put("ada/lab-4-4.json", "{}");
    fs::create_dir(course.0.path().join("empty")).unwrap();
    fs::write(course.0.path().join("bad.toml"), "[limits]\nsecnds = 3").unwrap();
    for (line, part) in [
        ("", "--out"),
        ("nowhere --out grades", "folder for each student"),
        ("bad.toml --out grades", "folder for each student"),
        ("empty --out grades", "no student's folder"),
        ("submissions --out submissions/grades", "among the submissions"),
        ("submissions --out submissions", "among the submissions"),
        ("submissions --out bad.toml/grades", "cannot write"),
        ("submissions --out bad.toml", "cannot write"),
        ("submissions --out .", "no grading wrote"),
        ("submissions --out grades --seeds bad.toml", "student and seed"),
        ("submissions --out grades --seeds no.csv", "no.csv"),
        ("submissions --out grades --rules bad.toml", "secnds"),
        ("submissions --out grades --rules no.toml", "no.toml"),
        ("submissions --out grades --timeout 0", "above 0"),
        ("submissions --out grades --timeout nan", "above 0"),
        ("submissions --out grades --jobs 0", "--jobs"),
        ("submissions --out grades --bar 101", "between 0 and 100"),
        ("submissions --out grades --seed -1", "'-1'"),
    ] {
        let output = grade(course.0.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", stdout(&output));
        assert!(stderr(&output).contains(part), "{line}: {}", stderr(&output));
    }
    let help = grade(course.0.path(), "--help");
    assert_eq!(help.status.code(), Some(0));
    insta::assert_snapshot!("help", stdout(&help));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text_and_links_out_of_the_folder_are_reported_and_not_followed() {
    use std::os::unix::ffi::OsStrExt as _;
    let course = Course::new();
    let ada = plain(1e8).to_json().unwrap();
    course.put("ada/lab-4-4.json", &ada);
    // Each has its own report, though some names look much alike.
    for alike in [&b"\xff"[..], b"\xfe", b"\\xff", b"a{b", b"a}b", b"a", b"a (2)"] {
        fs::create_dir(course.submissions().join(std::ffi::OsStr::from_bytes(alike))).unwrap();
    }
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9\x1b[2J");
    fs::create_dir(course.submissions().join(name)).unwrap();
    fs::write(course.submissions().join(name).join(name).with_extension("json"), &ada).unwrap();
    let secret = course.0.path().join("secret.json");
    fs::write(&secret, &ada).unwrap();
    fs::create_dir(course.submissions().join("mallory")).unwrap();
    std::os::unix::fs::symlink(&secret, course.submissions().join("mallory/lab-4-4.json")).unwrap();
    let output = course.grade("");
    let reports =
        files(&course.0.path().join("grades")).iter().filter(|(name, _)| name.ends_with(".md")).count();
    assert_eq!(reports, 7 + 3);
    let grades = course.read("grades/grades.csv");
    assert!(grades.contains("\"caf\\xe9\\u{1b}[2J\",\"caf\\xe9\\u{1b}[2J.json\",\"lab-4-4\""), "{grades}");
    assert!(grades.contains("\"mallory\",\"lab-4-4.json\",\"lab-4-4\",\"\",\"\",\"link\""), "{grades}");
    assert!(!(grades + &stdout(&output)).contains('\u{1b}'));
}
