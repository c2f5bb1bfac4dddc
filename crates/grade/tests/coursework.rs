//! Exercises and answers: from the file of `workbook submit` to points.
#![allow(clippy::unwrap_used, missing_docs)]

use exercise::Task;
use question::bank;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::LazyLock;
use submission::{Answer, Chosen, ExerciseWork, FORMAT, State, Submission, Versions};
use tests::program::{stderr, stdout};

/// A seed that cannot be found by trying.
pub(crate) const SEED: &str = "--seed 734098265112771";

static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| exercise::all().unwrap());

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn file(name: &str) -> Result<String, String> {
    fs::read_to_string(root().join(name)).map_err(|error| error.to_string())
}

pub(crate) fn task(name: &str) -> &'static Task {
    TASKS.iter().find(|task| task.exercise.name == name).unwrap()
}

/// A submission with these sources.
pub(crate) fn with(sources: &[(&str, &str)]) -> Submission {
    let work = |(name, source): &(&str, &str)| ExerciseWork {
        name: (*name).to_owned(),
        state: State::Passed,
        found: None,
        source: (*source).to_owned(),
    };
    Submission {
        format: FORMAT,
        name: "A Student".to_owned(),
        when: "2026-01-31T10:00:00Z".to_owned(),
        versions: Versions { exercises: exercise::digest(), ..Versions::default() },
        exercises: sources.iter().map(work).collect(),
        ..Submission::default()
    }
}

/// A folder of submissions, and one for the grades.
pub(crate) struct Course(tempfile::TempDir);

impl Course {
    pub(crate) fn new() -> Self {
        let course = Course(tempfile::tempdir().unwrap());
        fs::create_dir(course.0.path().join("submissions")).unwrap();
        course
    }

    fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join("submissions").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn hand_in(&self, student: &str, work: &Submission) {
        self.put(&format!("{student}/submission.toml"), work.text().unwrap());
    }

    pub(crate) fn rules(&self, text: &str) {
        fs::write(self.0.path().join("course.toml"), text).unwrap();
    }

    pub(crate) fn grade(&self, line: &str) -> Output {
        let line = format!("submissions --out grades {line}");
        tests::program::run(env!("CARGO_BIN_EXE_grade"), self.0.path(), &line).unwrap()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join("grades").join(name)).unwrap()
    }

    /// Cell of a student's row of a table.
    pub(crate) fn cell(&self, table: &str, student: &str, column: &str) -> String {
        let text = self.read(table);
        let mut table = csv::Reader::from_reader(text.as_bytes());
        let at = table.headers().unwrap().iter().position(|name| name == column).unwrap();
        let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
        let row = rows.iter().find(|row| &row[0] == student).unwrap_or_else(|| panic!("{student}: {text}"));
        row[at].to_owned()
    }
}

/// A student who solves all of these tasks, and hands them in.
fn solve(folder: &Path, tasks: &[&Task]) {
    for task in tasks {
        let file = folder.join(&task.exercise.chapter).join(format!("{}.cu", task.exercise.name));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, task.variants.solution()).unwrap();
    }
    let right = |question: question::Question| {
        let right = question.choices.iter().find(|choice| choice.right).unwrap().text.clone();
        (question.id, serde_json::json!([right]))
    };
    let answers: serde_json::Map<_, _> = question::of_book(&file).unwrap().into_iter().map(right).collect();
    let progress = serde_json::json!({ "version": 1, "answers": answers });
    fs::write(folder.join("progress.json"), progress.to_string()).unwrap();
    fs::create_dir_all(folder.join("answers")).unwrap();
    for question in bank::of_book(&file).unwrap() {
        let text = format!("> {}\n\nThat is so, as {} says.\n", question.ask, question.chapter);
        fs::write(folder.join(format!("answers/{}.md", question.id)), text).unwrap();
    }
}

/// Of these chapters, or of all where there is none.
fn who_solves_everything_has_all_points_and_who_hands_in_skeletons_has_none(chapters: &[&str]) {
    let course = Course::new();
    course.rules(&format!("chapters = {chapters:?}"));
    let is_assigned = |chapter: &str| chapters.is_empty() || chapters.contains(&chapter);
    let tasks: Vec<&Task> = TASKS.iter().filter(|task| is_assigned(&task.exercise.chapter)).collect();
    let folder = course.0.path().join("exercises");
    solve(&folder, &tasks);
    let ada = course.0.path().join("submissions/ada");
    fs::create_dir(&ada).unwrap();
    let out = ada.join("submission.toml");
    let words = ["workbook", "--dir", folder.to_str().unwrap(), "submit", "--name", "Ada", "--out"];
    let words = words.iter().map(OsString::from).chain([out.clone().into_os_string()]);
    workbook::main_with(words);
    // Records of this machine's own runs are not the test's.
    let mut work = Submission::parse(&fs::read_to_string(&out).unwrap()).unwrap();
    work.records.clear();
    course.hand_in("ada", &work);
    let skeletons: Vec<(&str, String)> =
        tasks.iter().map(|task| (task.exercise.name.as_str(), task.skeleton())).collect();
    let skeletons: Vec<(&str, &str)> = skeletons.iter().map(|(name, text)| (*name, text.as_str())).collect();
    course.hand_in("bob", &with(&skeletons));
    let output = course.grade(&format!("{SEED} --rules course.toml"));
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let points: u32 = tasks.iter().map(|task| task.exercise.points).sum();
    let mut questions = question::of_book(&file).unwrap();
    questions.retain(|question| is_assigned(&question.chapter));
    let questions: u32 = questions.iter().map(|question| question.points).sum();
    assert_eq!(
        course.cell("students.csv", "ada", "exercises"),
        points.to_string(),
        "{}",
        course.read("ada.md")
    );
    assert_eq!(course.cell("students.csv", "ada", "questions"), questions.to_string());
    assert_eq!(course.cell("students.csv", "ada", "percent"), "100", "answers in words do not count yet");
    assert_eq!(course.cell("students.csv", "ada", "flags"), "0");
    assert_eq!(course.cell("students.csv", "bob", "points"), "0", "{}", course.read("bob.md"));
    assert!(
        stdout(&output).contains("criteria of answers in words wait for your points"),
        "{}",
        stdout(&output)
    );
    // No report has anything that is only for those who mark.
    for question in bank::of_book(&file).unwrap().iter().filter(|question| is_assigned(&question.chapter)) {
        let report = course.read("ada.md");
        assert!(!report.contains(&question.answer) && report.contains(&question.id), "{}", question.id);
    }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn who_solves_everything_of_a_chapter_has_all_points_and_who_hands_in_skeletons_has_none() {
    who_solves_everything_has_all_points_and_who_hands_in_skeletons_has_none(&["constant-memory"]);
}

mod nightly {
    #[test]
    #[ignore = "nightly: checks all exercises twice"]
    fn who_solves_everything_has_all_points_and_who_hands_in_skeletons_has_none() {
        super::who_solves_everything_has_all_points_and_who_hands_in_skeletons_has_none(&[]);
    }
}

/// A sum that is right where the exercise shows it, and nowhere else.
fn only_as_shown() -> String {
    let solution = task("vector_sum").variants.solution();
    let guard = "if (i < n)";
    assert!(solution.contains(guard));
    solution.replace(guard, "if (i < n && (n == 1000 || n == 512 || n == 77))")
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_hidden_case_is_reported_and_the_seed_is_not() {
    let course = Course::new();
    course.rules("chapters = ['linear-memory']");
    course.hand_in("ada", &with(&[("vector_sum", &only_as_shown())]));
    course.hand_in("bob", &with(&[("vector_sum", &task("vector_sum").variants.solution())]));
    let wrong = |line: &str| {
        let output = course.grade(&format!("--rules course.toml {line}"));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(course.cell("work.csv", "ada", "exercises: vector_sum"), "0");
        assert_eq!(course.cell("work.csv", "bob", "exercises: vector_sum"), "1");
        let report = course.read("ada.md");
        assert!(report.contains("wrong results in hidden case 1 of 4 (n = "));
        assert!(report.contains("### `vector_sum`") && report.contains("was never written, but should be"));
        report
    };
    let first = wrong(SEED);
    assert!(!first.contains("734098265112771") && !stdout(&course.grade(SEED)).contains("the seed is short"));
    let line = |report: &str| report.lines().find(|line| line.contains("hidden case")).unwrap().to_owned();
    assert_ne!(line(&first), line(&wrong("--seed 734098265112772")));
    // Different seeds give students different cases.
    fs::write(course.0.path().join("seeds.csv"), "student,seed\nada,1\nbob,2\n").unwrap();
    let own = wrong(&format!("{SEED} --seeds seeds.csv"));
    assert_ne!(line(&first), line(&own));
    assert_eq!(line(&first), line(&wrong(SEED)), "equal seeds give equal cases");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn hostile_students_lose_only_their_own_points() {
    let course = Course::new();
    course.rules("chapters = ['linear-memory']\nlimits.submission_bytes = 3_000_000");
    let solution = task("vector_sum").variants.solution();
    let body = |kernel: &str| {
        format!("__global__ void add(const float *a, const float *b, float *c, int n) {{ {kernel} }}\n")
    };
    let sources = [
        ("endless", body("while (true) { }"), "a fault in case 1"),
        ("busy", body("for (long i = 0; i < 1000000000000L; i++) c[i % n] = i;"), "a fault in case 1"),
        ("trap", body("asm(\"trap;\");"), "a fault in case 1"),
        (
            "flood",
            body("for (int i = 0; i < 100000; i++) printf(\"%d xxxxxxxxxxxxxxxxxxxxxxxxxx\\n\", i);"),
            "in case 1",
        ),
        ("passwd", format!("#include \"/etc/passwd\"\n{solution}"), "it does not compile"),
        ("itself", format!("#include \"vector_sum.cu\"\n{solution}"), "it does not compile"),
        ("macros", macros(), "it does not compile"),
        (
            "deep",
            format!("int x = {}1{};\n{solution}", "(".repeat(100_000), ")".repeat(100_000)),
            "it does not compile",
        ),
        ("array", format!("__device__ char huge[1L << 40];\n{solution}"), "case 1"),
        ("markup", format!("{solution}```\n# All points\n<b>`|\u{202e}\u{1b}[2J"), "it does not compile"),
        ("empty", String::new(), "case 1"),
        ("long", format!("// {}\n{solution}", "x".repeat(2_000_000)), "its source has 2000"),
    ];
    for (name, source, _) in &sources {
        course.hand_in(name, &with(&[("vector_sum", source)]));
    }
    let name = with(&[("../../../etc/passwd", &solution), ("vector_sum", &solution), ("vector_sum", "bad")]);
    course.hand_in("names", &name);
    course.hand_in("zoe", &with(&[("vector_sum", &solution)]));
    course.hand_in("more", &with(&[("tile_race", "a"), ("vector_sum", &solution), ("odd_pitch", "b")]));
    let begun = std::time::Instant::now();
    let output = course.grade(&format!("{SEED} --rules course.toml"));
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(begun.elapsed().as_secs() < 120, "it waited for somebody");
    for (name, _, why) in &sources {
        assert_eq!(course.cell("work.csv", name, "exercises: vector_sum"), "0", "{name}");
        let report = course.read(&format!("{name}.md"));
        let row = report.lines().find(|line| line.starts_with("| `vector_sum`")).unwrap();
        assert!(row.contains(why), "{name}: {row}");
        assert!(
            !report.contains("root:") && !report.contains('\u{1b}') && !report.contains("\n# All"),
            "{report}"
        );
    }
    assert_eq!(course.cell("work.csv", "zoe", "exercises: vector_sum"), "1");
    assert_eq!(course.cell("work.csv", "names", "exercises: vector_sum"), "1", "the first of two counts");
    let report = course.read("more.md");
    let said = "exercises `tile_race`, `odd_pitch` are not assigned and are ignored";
    assert!(report.contains(said), "{report}");
    let report = course.read("names.md");
    assert!(report.contains("exercise `../../../etc/passwd` is not assigned"), "{report}");
    assert!(report.contains("exercise `vector_sum` is in it twice; the first counts"), "{report}");
}

/// Macros that would become 2^60 words.
fn macros() -> String {
    let line = |n: usize| format!("#define M{} M{n} M{n}\n", n + 1);
    format!("#define M0 x\n{}int y = M60;\n", (0..60).map(line).collect::<String>())
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_check_that_takes_too_much_of_the_machine_is_ended_and_reported() {
    let course = Course::new();
    let solution = task("vector_sum").variants.solution();
    let many: String =
        (0..18_000).map(|n| format!("__device__ int f{n}(int x) {{ return x * {n} + x / 7; }}\n")).collect();
    let slow = format!("__device__ int g(int x) {{ {} return x; }}\n", "if (x / 7) x += 9;".repeat(30_000));
    let slow = slow + &solution.replace("b[i]", "b[i] + 0 * g(i)");
    course.hand_in("much", &with(&[("vector_sum", &format!("{many}{solution}"))]));
    course.hand_in("slow", &with(&[("vector_sum", &slow)]));
    course.hand_in("zoe", &with(&[("vector_sum", &solution)]));
    for (student, rules, said) in [
        ("slow", "exercises.seconds = 1", "its check was ended after 1 s of processor time"),
        (
            "much",
            // It takes more than 150 MB with one arena, and a solution less than 60.
            "exercises.memory_bytes = 100_000_000",
            "its check was ended when it asked for more than 95 MiB",
        ),
    ] {
        course.rules(&format!("chapters = ['linear-memory']\n{rules}"));
        let other = if student == "slow" { "much" } else { "slow" };
        let aside = course.0.path().join(other);
        fs::rename(course.0.path().join("submissions").join(other), &aside).unwrap();
        let line = format!("{SEED} --rules course.toml");
        let mut output = course.grade(&line);
        // On a busy machine the clock, which is ten times as long, may end the check first. That is not graded, and tried again.
        for _ in 0..20 {
            if output.status.code() != Some(1) {
                break;
            }
            output = course.grade(&format!("{line} --resume"));
        }
        fs::rename(&aside, course.0.path().join("submissions").join(other)).unwrap();
        assert_eq!(output.status.code(), Some(0), "{rules}: {}{}", stdout(&output), stderr(&output));
        let report = course.read(&format!("{student}.md"));
        assert!(report.contains(said), "{rules}: {report}");
        assert_eq!(course.cell("work.csv", student, "exercises: vector_sum"), "0");
        assert_eq!(course.cell("work.csv", "zoe", "exercises: vector_sum"), "1", "{rules}");
    }
    fs::remove_dir_all(course.0.path().join("submissions/slow")).unwrap();
    fs::remove_dir_all(course.0.path().join("submissions/much")).unwrap();
    // The wall clock alone costs no points: the machine may be busy.
    let output = course.grade(&format!("{SEED} --timeout 0.0001"));
    assert_eq!(output.status.code(), Some(1));
    assert!(course.read("zoe.md").contains("the check did not end within 0.001 s by the clock"));
    assert!(course.read("grades.csv").contains("\"not-graded\""));
    assert_eq!(course.cell("work.csv", "zoe", "exercises: vector_sum"), "");
    let output = course.grade(&format!("{SEED} --resume"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(course.cell("work.csv", "zoe", "exercises: vector_sum"), "1");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_file_that_is_not_a_submission_is_reported_and_others_are_graded() {
    let course = Course::new();
    course.rules("chapters = ['linear-memory']\nlimits.submission_bytes = 3_000_000");
    let text = with(&[("vector_sum", &task("vector_sum").variants.solution())]).text().unwrap();
    let students = [
        ("cut", text.as_bytes()[..text.len() - 20].to_vec(), "\"invalid\""),
        ("junk", vec![0xff; 1000], "\"invalid\""),
        ("nothing", vec![], "\"empty\""),
        ("notepad", text.encode_utf16().flat_map(u16::to_le_bytes).collect(), "\"invalid\""),
        ("version", text.replace("format = 1", "format = 7").into_bytes(), "\"invalid\""),
        ("nested", format!("a = {}", "[".repeat(100_000)).into_bytes(), "\"invalid\""),
        ("when", text.replace("2026-01-31T10:00:00Z", "today").into_bytes(), "\"invalid\""),
        ("large", vec![b'#'; 3_000_001], "\"too-large\""),
        ("zoe", text.clone().into_bytes(), "\"graded\""),
    ];
    for (student, bytes, _) in &students {
        course.put(&format!("{student}/submission.toml"), bytes);
    }
    let said = stdout(&course.grade(&format!("{SEED} --rules course.toml --resume")));
    let grades = course.read("grades.csv");
    for (student, _, status) in students {
        let row = grades.lines().find(|row| row.starts_with(&format!("\"{student}\""))).unwrap();
        assert!(row.contains(status), "{row}");
    }
    let names = "handed in files that could not be read; their reports say why:\n  cut, junk, large, nested, notepad, and 3 more\n";
    assert!(said.contains(&format!("8 {names}")), "{said}");
    for said in [
        "its format is 7, but this program reads 1",
        "line 1 is not UTF-8 text; hand in the file as workbook submit wrote it",
        "field 'when'",
        "more than 3000000 bytes",
    ] {
        assert!(grades.contains(said), "{said}: {grades}");
    }
    // A student who handed in a file that cannot be read has handed in nothing.
    assert_eq!(course.cell("students.csv", "cut", "points"), "0");
    assert_eq!(course.cell("students.csv", "cut", "of"), course.cell("students.csv", "zoe", "of"));
    let report = course.read("cut.md");
    // The reason is before the tables, and records are not mentioned where there are none.
    let said =
        "`submission.toml` is invalid, so there is nothing in it to grade (it is not a valid submission";
    assert!(report.contains(said) && !report.contains("Of several records"), "{report}");
    assert!(!report.contains("was handed in."), "{report}");
    // Of two files the later one counts.
    course.put("zoe/new.toml", text.replace("2026-01-31", "2026-02-01").replace("vector_sum", "grid_stride"));
    course.grade(&format!("{SEED} --rules course.toml --resume"));
    assert!(course.read("grades.csv").contains("\"submission.toml\",\"\",\"\",\"\",\"superseded\""));
    assert_eq!(course.cell("work.csv", "zoe", "exercises: vector_sum"), "0");
}

#[test]
fn records_in_a_submission_are_graded_like_others() {
    let course = Course::new();
    let lab = &labs::lab_4_4::LAB;
    let parameters = labs::Request::small(lab.sizes, 5).parameters();
    let limits = labs::Limits { instructions: 1 << 34, memory_bytes: 1 << 30 };
    let mut record = labs::rerun(lab, &parameters, None, "gtx970", limits).unwrap();
    record.when = "2026-01-31T10:00:00Z".to_owned();
    let mut work = with(&[]);
    for json in [record.to_json().unwrap(), "{".to_owned()] {
        work.records.push(submission::Lab { lab: "lab-4-4".to_owned(), json });
    }
    work.records.push(submission::Lab { lab: "../../x".to_owned(), json: "[".to_owned() });
    course.hand_in("ada", &work);
    let output = course.grade(SEED);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let grades = course.read("grades.csv");
    assert!(
        grades.contains("\"submission.toml/lab-4-4.json\",\"lab-4-4\",")
            && grades.contains(",\"graded\",\"yes\",13,13,100"),
        "{grades}"
    );
    assert!(grades.contains("\"submission.toml/../../x.json\",\"\",\"\",\"\",\"invalid\""), "{grades}");
    assert_eq!(course.cell("students.csv", "ada", "labs"), "lab-4-4");
}

/// A submission with an answer in words.
fn in_words(text: &str) -> Submission {
    let text = text.to_owned();
    Submission { answers: vec![Answer { id: "two-barriers".to_owned(), text }], ..with(&[]) }
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn marks_that_a_person_gives_count_and_are_kept() {
    let course = Course::new();
    course.rules("chapters = ['tiling']");
    let line = format!("{SEED} --rules course.toml");
    course.hand_in("ada", &in_words("=It waits,\nand \"so\" on."));
    course.hand_in("bob", &with(&[]));
    assert_eq!(course.grade(&line).status.code(), Some(0));
    let of = |student: &str| course.cell("students.csv", student, "of").parse::<u32>().unwrap();
    assert_eq!(of("bob") - of("ada"), 3, "what is not marked does not count yet");
    assert_eq!(course.cell("work.csv", "ada", "answers in words: two-barriers"), "");
    let sheet = course.read("marks.csv");
    assert_eq!(sheet.matches("\"ada\",\"two-barriers\"").count(), 3, "{sheet}");
    assert!(
        sheet.contains("'=It waits,\nand \"\"so\"\" on.") && sheet.contains("Without the first, a thread"),
        "{sheet}"
    );
    assert_eq!(sheet.matches("has two calls of `__syncthreads()`").count(), 1, "the question is there once");
    // As a person fills the sheet in.
    let last = "the warps\",1,";
    let marked =
        sheet.replacen(",1,\"\",", ",1,1,", 2).replace(&format!("{last}\"\""), &format!("{last}0.5"));
    let says = "You name the race | but not `when` it happens.";
    let (before, line_of_half) = marked.rsplit_once("the warps\",1,0.5,").expect("the marked line");
    let line_of_half = line_of_half.replacen("\"\",\"\",\"\",\"\"", &format!("\"\",\"\",\"\",\"{says}\""), 1);
    let marked = format!("{before}the warps\",1,0.5,{line_of_half}");
    fs::write(course.0.path().join("grades/marks.csv"), &marked).unwrap();
    let output = course.grade(&format!("{line} --resume"));
    assert_eq!(
        course.cell("work.csv", "ada", "answers in words: two-barriers"),
        "2.5",
        "{}{}",
        stderr(&output),
        course.read("marks.csv")
    );
    assert_eq!((course.cell("students.csv", "ada", "in words"), of("ada")), ("2.5".to_owned(), of("bob")));
    assert_eq!(course.read("marks.csv"), marked, "the sheet stays as it was filled in");
    let report = course.read("ada.md");
    assert!(
        report.contains("| `two-barriers` | tiling | 2.5 | 3 | ◐ | marked by a person: 1 of 1 for `"),
        "{report}"
    );
    assert!(report.contains(", 0.5 of 1 for `"), "{report}");
    // The marker's remark is next to the points, and is not markup.
    assert!(report.contains(" (`You name the race \\u{7c} but not 'when' it happens.`)"), "{report}");
    // Another grading takes a sheet that is elsewhere.
    fs::write(course.0.path().join("marked.csv"), &marked).unwrap();
    fs::rename(course.0.path().join("grades"), course.0.path().join("before")).unwrap();
    course.grade(&format!("{line} --marks marked.csv"));
    assert_eq!(course.cell("students.csv", "ada", "in words"), "2.5");
    // A new answer needs new marks, and the old ones are not lost.
    course.hand_in("ada", &in_words("It does not wait."));
    let output = course.grade(&format!("{line} --resume"));
    assert!(stdout(&output).contains("marks of answers that have changed since: 3;"), "{}", stdout(&output));
    assert!(
        course.read("marks.csv").contains("(0.5 of 1 for an earlier answer)"),
        "{}",
        course.read("marks.csv")
    );
    assert_eq!(course.cell("work.csv", "ada", "answers in words: two-barriers"), "");
    // A sheet that is wrong stops the grading before it begins.
    fs::write(course.0.path().join("marked.csv"), marked.replace(",1,0.5,", ",1,7,")).unwrap();
    course.hand_in("ada", &in_words("=It waits,\nand \"so\" on."));
    let output = course.grade(&format!("{line} --marks marked.csv --resume"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("7 points, but this criterion gives 1"), "{}", stderr(&output));
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_later_grading_keeps_what_was_checked() {
    let course = Course::new();
    course.rules("chapters = ['linear-memory']");
    let line = format!("{SEED} --rules course.toml --resume");
    let solution = task("vector_sum").variants.solution();
    course.hand_in("ada", &with(&[("vector_sum", &solution)]));
    course.hand_in("bob", &with(&[("vector_sum", &solution)]));
    let output = course.grade(&line);
    assert!(stdout(&output).contains("1 different source of exercises was checked\n"), "{}", stdout(&output));
    course.hand_in("carl", &with(&[("vector_sum", &task("vector_sum").skeleton())]));
    let output = course.grade(&line);
    let said = "1 different source of exercises was checked, 1 had been before";
    assert!(stdout(&output).contains(said), "{}", stdout(&output));
    let resumed: Vec<String> = ["grades.csv", "students.csv", "work.csv", "ada.md", ".grading.jsonl"]
        .map(|name| course.read(name))
        .into();
    fs::remove_dir_all(course.0.path().join("grades")).unwrap();
    course.grade(&format!("{SEED} --rules course.toml --jobs 1"));
    let whole: Vec<String> = ["grades.csv", "students.csv", "work.csv", "ada.md", ".grading.jsonl"]
        .map(|name| course.read(name))
        .into();
    assert_eq!(resumed, whole);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_checks_too() {
    use std::process::{Command, Stdio};
    let course = Course::new();
    let solution = task("vector_sum").variants.solution();
    let slow = format!("__device__ int g(int x) {{ {} return x; }}\n", "if (x / 7) x += 9;".repeat(30_000));
    course.hand_in("slow", &with(&[("vector_sum", &(slow + &solution.replace("b[i]", "b[i] + 0 * g(i)")))]));
    let child = Command::new(env!("CARGO_BIN_EXE_grade"))
        .args(["submissions", "--out", "grades"])
        .current_dir(course.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The journal is there a moment before the handler.
    while !course.0.path().join("grades/.grading.jsonl").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("interrupted; 0 of 1 "), "{}", stderr(&output));
    assert!(!course.0.path().join("grades/grades.csv").exists());
}

#[test]
fn predictions_give_less_after_wrong_ones_and_shared_work_is_flagged() {
    let course = Course::new();
    let questions = question::of_book(&file).unwrap();
    let question = questions.iter().find(|question| question.choices.len() == 3).unwrap();
    let right = question.choices.iter().find(|choice| choice.right).unwrap().text.clone();
    let wrong = question.choices.iter().find(|choice| !choice.right).unwrap().text.clone();
    let answered = |chosen: &[&String]| {
        let chosen = chosen.iter().map(|text| (*text).clone()).collect();
        Submission {
            questions: vec![Chosen { id: question.id.clone(), chosen }],
            id: "s1".into(),
            ..with(&[])
        }
    };
    course.hand_in("ada", &answered(&[&right]));
    course.hand_in("bob", &Submission { id: "s2".into(), ..answered(&[&wrong, &right]) });
    course.hand_in("carl", &Submission { id: String::new(), ..answered(&[&"7 apples".to_owned()]) });
    let remark = "// I count from zero here, which took me a whole evening and half a night to see through";
    let own = format!("{remark}\n{}", task("vector_sum").variants.solution());
    let shared = |id: &str| Submission { id: id.into(), ..with(&[("vector_sum", own.as_str())]) };
    course.hand_in("dora", &shared("s1"));
    course.hand_in("eve", &shared("s5"));
    course.rules("exercises.hidden = 0");
    course.grade(&format!("{SEED} --rules course.toml"));
    let points = |student: &str| course.cell("students.csv", student, "questions");
    assert_eq!((points("ada"), points("bob"), points("carl")), ("1".into(), "0.5".into(), "0".into()));
    // Choices are values of the book's records: those of another version cost no points.
    let said = "7 apples` is not one of its choices in this version of the book, so it does not count";
    assert!(course.read("carl.md").contains(said), "{}", course.read("carl.md"));
    let of = |student: &str| course.cell("students.csv", student, "of").parse::<u32>().unwrap();
    assert_eq!(of("carl") + question.points, of("ada"));
    assert_eq!(course.cell("grades.csv", "carl", "flags"), format!("other-choices:{}", question.id));
    assert!(course.cell("grades.csv", "carl", "reasons").contains(said));
    assert_eq!(
        course.cell("grades.csv", "dora", "flags"),
        "similar-source-to:eve/vector_sum; same-id-as:ada"
    );
    assert_eq!(course.cell("grades.csv", "eve", "flags"), "similar-source-to:dora/vector_sum");
    assert!(!course.read("eve.md").contains("dora"), "a report names no other student");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn short_copies_on_many_exercises_are_flagged_and_shown_to_the_instructor_alone() {
    let course = Course::new();
    // A student's own statements; what they compute does not matter here.
    let own = |student: usize, at: usize, name: &str| {
        let places = (student * 20 + at, at + 2 * student + 1);
        format!(
            "__global__ void k(float *a, int n) {{ int {name} = threadIdx.x * {} + n; a[{name}] = {}; }}",
            places.0, places.1
        )
    };
    let names: Vec<&str> = TASKS.iter().map(|task| task.exercise.name.as_str()).take(8).collect();
    let hand_in = |student: &str, number: usize, name: &str| {
        let sources: Vec<(&str, String)> =
            names.iter().enumerate().map(|(at, exercise)| (*exercise, own(number, at, name))).collect();
        course.hand_in(
            student,
            &with(&sources.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>()),
        );
    };
    for (number, (student, name)) in
        [("ada", "i"), ("bob", "i"), ("carl", "at"), ("dora", "j"), ("=eve()", "id")].into_iter().enumerate()
    {
        hand_in(student, number, name);
    }
    hand_in("fay", 1, "place");
    course.rules("exercises.hidden = 0\nexercises.least_rarity = 15");
    let output = course.grade(&format!("{SEED} --rules course.toml"));
    let said = "1 pair with sources that are alike, a reason to look, not a verdict: grades/alike.csv shows what they share";
    assert!(stdout(&output).contains(said), "{}", stdout(&output));
    assert_eq!(course.cell("grades.csv", "bob", "flags"), "similar-work-to:fay");
    assert_eq!(course.cell("grades.csv", "fay", "flags"), "similar-work-to:bob");
    assert_eq!(course.cell("grades.csv", "ada", "flags"), "");
    let table = course.read("alike.csv");
    assert_eq!(table.lines().next().unwrap().matches(',').count(), 11);
    let cell = |column: &str| course.cell("alike.csv", "bob", column);
    assert_eq!((cell("other"), cell("flags")), ("fay".into(), "similar-work-to:fay".into()));
    assert_eq!(cell("exercise"), names[0]);
    assert!(cell("the student wrote").contains("int i = threadIdx . x * 20 + n"), "{table}");
    assert!(cell("the other wrote").contains("int place = threadIdx . x * 20 + n"), "{table}");
    assert!(
        cell("others who have it").starts_with('0') && cell("tokens alike") == cell("of the student's own")
    );
    for report in ["bob.md", "fay.md", "ada.md"] {
        assert!(!course.read(report).contains("alike"), "a report names no other student");
    }
}

/// The child knows no student and can open nothing; these are its limits, seen from outside.
#[cfg(target_os = "linux")]
#[test]
fn the_process_that_checks_a_source_can_open_no_file() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_grade"))
        .arg("--check-of-one-source")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A compiler that has much to do, so that there is time to look.
    let long: String =
        (0..20_000).map(|n| format!("__device__ int f{n}(int x) {{ return x + {n}; }}\n")).collect();
    let request = serde_json::json!({
        "exercise": "vector_sum", "source": long, "seeds": [], "seconds": 60, "memory_bytes": 4_000_000_000_u64,
    });
    writeln!(child.stdin.as_mut().unwrap(), "0\n{request}").unwrap();
    let limits = || fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    let row = |limits: &str, name: &str| {
        let row = limits.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        row.trim_start_matches(name).split_whitespace().next().unwrap_or_default().to_owned()
    };
    for _ in 0..500 {
        if row(&limits(), "Max address space") == "4000000000" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let limits = limits();
    child.kill().unwrap();
    child.wait().unwrap();
    for (name, most) in [
        ("Max open files", "3"),
        ("Max file size", "0"),
        ("Max cpu time", "60"),
        ("Max address space", "4000000000"),
    ] {
        assert_eq!(row(&limits, name), most, "{limits}");
    }
}

/// The repository has the model answers; a student who hands one in word for word is flagged, and not as similar to others who
/// do.
#[test]
fn a_model_answer_that_is_handed_in_is_flagged_and_the_report_does_not_say_so() {
    let course = Course::new();
    let bank = bank::of_book(&file).unwrap();
    let question = &bank[0];
    let answered = |text: &str| Submission {
        answers: vec![Answer { id: question.id.clone(), text: text.to_owned() }],
        ..with(&[])
    };
    course.hand_in(
        "ada",
        &answered("It waits for anyone who is slower, and so nothing is read too early by anybody."),
    );
    course.hand_in("bob", &answered(&question.answer));
    course.hand_in("carl", &answered(&question.answer.replace(' ', "\n")));
    let output = course.grade(SEED);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(course.cell("grades.csv", "ada", "flags"), "");
    for student in ["bob", "carl"] {
        assert_eq!(course.cell("grades.csv", student, "flags"), format!("model-answer:{}", question.id));
        assert!(!course.read(&format!("{student}.md")).contains("model"), "{student}");
    }
}

/// A student's source sees neither the grader's environment nor its open files.
#[cfg(target_os = "linux")]
#[test]
fn the_process_that_checks_a_source_inherits_neither_descriptors_nor_the_environment() {
    use std::process::Stdio;
    let course = Course::new();
    let solution = task("vector_sum").variants.solution();
    let slow = format!("__device__ int g(int x) {{ {} return x; }}\n", "if (x / 7) x += 9;".repeat(30_000));
    course.hand_in("slow", &with(&[("vector_sum", &(slow + &solution))]));
    let line =
        format!("exec 9</etc/passwd; SECRET=1 exec {} submissions --out grades", env!("CARGO_BIN_EXE_grade"));
    let mut grader = tests::program::shell(course.0.path(), &line)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let proc = |id: &str, name: &str| fs::read_to_string(format!("/proc/{id}/{name}")).unwrap_or_default();
    let open = |id: &str| {
        let entries = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let parent = grader.id().to_string();
    let children = || -> Vec<String> {
        let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        let of = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
        tasks.flat_map(|task| of(task).split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let is_checking = |id: &String| {
        proc(id, "cmdline").contains("--check-of-one-source")
            && proc(id, "limits").lines().any(|line| line.starts_with("Max address space         4294967296"))
            && proc(id, "status").contains("Seccomp:\t2")
    };
    let child = (0..6000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        children().into_iter().find(is_checking)
    });
    let seen = child.map(|id| (open(&id), proc(&id, "environ")));
    let of_grader = (open(&parent).contains(&"9".to_owned()), proc(&parent, "environ").contains("SECRET"));
    grader.kill().unwrap();
    grader.wait().unwrap();
    let (open, environ) = seen.expect("a process that checks, and is confined");
    assert_eq!(of_grader, (true, true));
    assert_eq!(open, ["0", "1", "2"]);
    let names: Vec<&str> =
        environ.split_terminator('\0').filter_map(|one| Some(one.split_once('=')?.0)).collect();
    assert_eq!(names, ["MALLOC_ARENA_MAX", "RAYON_NUM_THREADS"]);
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_file_that_unpacks_to_more_than_any_work_is_refused_and_costs_no_other_student_anything() {
    let course = Course::new();
    let work = with(&[("uniform_taps", &task("uniform_taps").variants.solution())]);
    course.hand_in("ada", &work);
    let text = work.text().unwrap();
    let empty = "[[record]]\nlab = ''\njson = ''\n";
    course.put("bob/submission.toml", format!("{text}{}", empty.repeat(100_000)));
    course.put("carl/submission.toml", format!("{text}numbers = [{}0]\n", "0,".repeat(1_000_000)));
    course.put("dora/submission.toml", format!("{text}{}", empty.repeat(201)));
    let long = ExerciseWork { source: "// \n".repeat(1 << 20), ..work.exercises[0].clone() };
    course.hand_in("eve", &Submission { exercises: vec![work.exercises[0].clone(), long], ..work.clone() });
    let output = course.grade(SEED);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let points = task("uniform_taps").exercise.points.to_string();
    assert_eq!(course.cell("students.csv", "ada", "exercises"), points);
    for (student, status, why) in [
        ("bob", "invalid", "more than 20000 lines and values up to here"),
        ("carl", "invalid", "more than 20000 lines and values up to here"),
        ("dora", "invalid", "it has 201 records, but at most 200 are read"),
        ("eve", "too-large", "but at most 4194304 are read"),
    ] {
        assert_eq!(course.cell("grades.csv", student, "status"), status, "{student}");
        assert!(
            course.cell("grades.csv", student, "reasons").contains(why),
            "{student}: {}",
            course.read("grades.csv")
        );
        assert_eq!(course.cell("students.csv", student, "exercises"), "0", "{student}");
    }
    let rows = course.read("grades.csv").lines().count();
    assert_eq!(rows, 6, "a row for each file");
}
