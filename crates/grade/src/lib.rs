//! The grader: folders of submissions and records to points, with a reason for each.
//!
//! Enters: a folder that holds a folder for each student, and the rules. Leaves: `grades.csv`, `students.csv`, `work.csv`,
//! `alike.csv`, a sheet for a person to mark, and a report for each student. Records and sources are untrusted: they are read
//! within limits, first in confined processes, and run again in processes whose instructions and memory are bounded; text from
//! them is escaped wherever it is shown. Grading is reproducible: two gradings of the same folder give the same bytes, whatever
//! the number of jobs and the load of the machine, and even if one of them was interrupted and resumed.

mod book;
mod cli;
mod compare;
mod confined;
mod coursework;
mod fields;
mod grade;
mod graded;
mod journal;
mod judge;
mod marks;
mod points;
mod progress;
mod report;
mod rules;
mod schedule;
mod similar;
mod status;
mod submissions;
mod text;
mod work;
mod workbook;

use anyhow::{Context, Result, bail};
use book::Book;
use clap::Parser as _;
use cli::Args;
use confined::child::Runner;
use confined::{check, confine, rerun};
use coursework::Coursework;
use grade::{Course, Interrupted, Settings};
use graded::Graded;
use journal::Journal;
use marks::Marks;
use program::Again;
use report::{output, table, terminal};
use rules::{Known, Rules};
use similar::flags;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use submissions::reading::Reader;
use submissions::seeds::Seeds;
use submissions::workbook_files::Unpacked;
use submissions::{NOBODY, Student};
use submissions::{reading, seeds, workbook_files};
use xxhash_rust::xxh3::xxh3_128;

/// Entry point of the binary `grade`.
pub fn main() -> ExitCode {
    let words = program::args();
    match words.get(1) {
        Some(first) if first == rerun::CHILD => return rerun::child(),
        Some(first) if first == check::CHILD => return check::child(),
        Some(first) if first == reading::CHILD => return reading::child(),
        _ => {}
    }
    confine::pass_nothing_on();
    let code = match Args::try_parse_from(words) {
        Ok(args) => run(&args).unwrap_or_else(|error| {
            program::tell(&format!("grade: {error:#}\n"));
            program::Exit::Unusable.into()
        }),
        Err(error) => program::usage(&error),
    };
    program::end("grade", code)
}

fn run(args: &Args) -> Result<ExitCode> {
    let tasks = book::tasks(args.course.as_deref())?;
    let known =
        Known { labs: &workbook::names(), chapters: &book::chapters(&tasks.all), judges: &judge::names() };
    let rules = Rules::read(&args.rules, known)?;
    let seeds = args.seeds.as_deref().map(seeds::read).transpose()?;
    let mut students = students(&args.submissions, &rules)?;
    outside(&args.out, &args.submissions)?;
    if let Some(path) = report::foreign(&args.out, &report::names(&students)) {
        bail!("{}: no grading wrote this file, and a report would replace it; move it away", path.display());
    }
    let sheet = args.marks.clone().unwrap_or_else(|| args.out.join(marks::NAME));
    let marks = Marks::read(&sheet, args.marks.is_some())?;
    let journal = Journal::open(&args.out, args.resume)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(|| jobs(cores, rules.limits.memory_bytes), usize::from);
    let program = Again::here().context("finding this program, which reruns labs")?;
    warn_of_what_is_left();
    let settings = Settings {
        rules: &rules,
        seed: args.seed.unwrap_or(cli::SEED),
        seeds: seeds.as_ref(),
        jobs,
        runner: Runner {
            limit: Duration::from_secs_f64(args.timeout.unwrap_or(rules.limits.seconds)),
            threads: (cores / jobs).max(1),
            interrupted: interrupted()?,
            program: &program,
        },
        out: &args.out,
        marks: &sheet,
        program: program_of(&program.path)?,
    };
    check::solutions(&settings.runner, &tasks, settings.seed, &rules.exercises)?;
    let reports = report::names(&students);
    let names =
        || TABLES.into_iter().chain(reports.iter().map(String::as_str)).filter(|name| !name.is_empty());
    output::put_aside(&args.out, names())?;
    let reader = Reader { runner: &settings.runner, rules: &rules };
    let unpacked = workbook_files::unpack(&mut students, &args.out, &reader)?;
    if settings.runner.is_interrupted() {
        let of = students.iter().map(|student| student.files.len()).sum();
        return Ok(reported(&Interrupted { judged: 0, of, what: "files" }, &args.out));
    }
    let keep = || {
        let out = args.out.display();
        format!("the judgements so far are kept in {out}; continue with --resume")
    };
    let work = match work(&students, &unpacked, tasks, marks, &settings, &journal).with_context(keep)? {
        Ok(work) => work,
        Err(interrupted) => return Ok(reported(&interrupted, &args.out)),
    };
    let course = match grade::all(&students, &work.works, &settings, &journal).with_context(keep)? {
        Ok(course) => course,
        Err(interrupted) => return Ok(reported(&interrupted, &args.out)),
    };
    let written = write(&args.out, &rules, &course, &work)?;
    let Course { graded, judged, .. } = &course;
    let open =
        graded.iter().flat_map(|of| &of.rows).filter(|row| row.status == status::Status::NotGraded).count();
    if open == 0 {
        let checked = work.checked.iter().map(|(key, checked)| (key.as_str(), checked));
        journal.finish(checked, judged.iter().map(|(key, judged)| (key.as_str(), judged)))?;
    }
    output::clear(&args.out, names());
    tell(args, &rules, seeds.as_ref(), &course, &work, open);
    for stale in output::others(&args.out, &written) {
        program::tell(&format!("grade: {} is from another grading\n", stale.display()));
    }
    Ok(match args.bar {
        _ if open > 0 => program::Exit::Mismatch.into(),
        Some(bar) if graded.iter().any(|of| is_below(of, bar)) => program::Exit::Mismatch.into(),
        _ => ExitCode::SUCCESS,
    })
}

/// Says what a submission that took control of its process could do on this system. Nothing is printed where that is nothing.
fn warn_of_what_is_left() {
    if let Some(what) = confine::what_is_left() {
        program::tell(&format!(
            "grade: this system does not fully confine the processes that handle submissions: code that took control of one \
             through a defect could {what}; grade strangers' work as a separate user or in a virtual machine\n"
        ));
    }
}

/// Grades exercises and answers, where any are expected.
fn work(
    students: &[Student],
    unpacked: &Unpacked,
    tasks: book::Tasks,
    marks: Marks,
    settings: &Settings<'_>,
    journal: &Journal,
) -> Result<std::result::Result<Coursework, Interrupted>> {
    let chapters = &settings.rules.chapters;
    if chapters.is_empty() && !unpacked.tried.contains(&true) && marks.is_empty() {
        return Ok(Ok(Coursework::default()));
    }
    let book = Book::read(tasks, chapters)?;
    coursework::all(students, unpacked, &book, marks, settings, journal)
}

/// A hash that distinguishes this program from others, to which a kept judgement does not apply. It is made at memory's speed,
/// since a program that is not optimised has fifty megabytes.
fn program_of(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).context("reading this program")?;
    Ok(format!("{:032x}", xxh3_128(&bytes)))
}

/// Says how to continue after an interrupt.
fn reported(interrupted: &Interrupted, out: &Path) -> ExitCode {
    let Interrupted { judged, of, what } = interrupted;
    let out = out.display();
    program::tell(&format!(
        "grade: interrupted; {judged} of {of} {what} are graded and kept in {out}; continue with the same command and --resume\n"
    ));
    program::Exit::Interrupted.into()
}

/// Prints the summary to the terminal.
fn tell(args: &Args, rules: &Rules, seeds: Option<&Seeds>, course: &Course, work: &Coursework, open: usize) {
    let mut text = terminal::summary(&course.graded, course.runs, course.kept, &args.out.join("grades.csv"));
    text += &terminal::work(work, &args.out, args.seed);
    if args.seed.is_none() {
        text += &format!(
            "the seed was the default, {}, which students can know too; choose another with --seed\n",
            cli::SEED
        );
    }
    if let Some(seeds) = seeds {
        let has_files = |of: &&Graded| of.rows.iter().any(|row| row.status != status::Status::NoFiles);
        let here: BTreeSet<&str> =
            course.graded.iter().filter(has_files).map(|of| of.student.as_str()).collect();
        let absent: Vec<&str> =
            seeds.keys().map(String::as_str).filter(|student| !here.contains(student)).collect();
        text += &terminal::absent(&absent);
    }
    text += terminal::covered(&course.graded, !rules.assigned.is_empty(), !rules.chapters.is_empty());
    if open > 0 {
        text += &format!(
            "{} could not be graded, at no cost to students; the same command with --resume tries again\n",
            terminal::many(open, "file")
        );
    }
    text += &format!("grades: {}\n", args.out.join("grades.csv").display());
    program::say(&text);
}

/// Number of parallel re-runs: one per core, or fewer if their memory limits would exceed the memory available.
fn jobs(cores: usize, memory_bytes: u64) -> usize {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok()?.checked_mul(1024)
    });
    // Where the system does not report how much memory is available: one per core.
    let fit = available.map_or(cores, |bytes| usize::try_from(bytes / memory_bytes).unwrap_or(cores));
    fit.clamp(1, cores)
}

/// Flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
fn interrupted() -> Result<&'static AtomicBool> {
    static INTERRUPTED_BY_USER: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| {
        if INTERRUPTED_BY_USER.swap(true, Ordering::Relaxed) {
            program::Exit::Interrupted.now();
        }
        program::tell("grade: stopping; press Ctrl-C again to stop at once\n");
    })
    .context("waiting for Ctrl-C")?;
    Ok(&INTERRUPTED_BY_USER)
}

fn is_below(of: &Graded, bar: f64) -> bool {
    of.student != NOBODY && (of.points.per_mille(of.of) as f64) < bar * 10.0
}

fn students(folder: &Path, rules: &Rules) -> Result<Vec<Student>> {
    let shown = folder.display();
    let students = submissions::walk(folder, &rules.limits)
        .with_context(|| format!("{shown}: the folder that holds a folder for each student is needed"))?;
    if students.iter().all(|student| student.name == NOBODY) {
        bail!("{shown}: it holds no student's folder; each student's records belong in their own folder");
    }
    Ok(students)
}

/// Refuses an output folder within the submissions, whose reports would be graded the next time.
fn outside(out: &Path, submissions: &Path) -> Result<()> {
    let submissions = submissions.canonicalize().context("the folder of submissions")?;
    // The nearest existing ancestor shows where the rest will be created.
    let here = std::env::current_dir().context("the working directory")?.join(out);
    let there = here.ancestors().find_map(|folder| folder.canonicalize().ok()).unwrap_or_default();
    if there.starts_with(&submissions) {
        bail!("--out {}: it is among the submissions; choose a folder elsewhere", out.display());
    }
    Ok(())
}

/// Tables that a grading writes; the marking sheet is a person's too.
const TABLES: [&str; 4] = ["grades.csv", "students.csv", "work.csv", flags::NAME];

/// Writes the tables; the reports are written while grading. Returns the paths of all of them.
fn write(out: &Path, rules: &Rules, course: &Course, work: &Coursework) -> Result<Vec<PathBuf>> {
    let Course { graded, reports, .. } = course;
    let mut tables = vec![
        (out.join("grades.csv"), table::files(rules, graded, reports)?),
        (out.join("students.csv"), table::students(graded, reports)?),
    ];
    if graded.iter().any(|of| of.work.is_some()) {
        tables.push((out.join("work.csv"), table::work(graded, reports)?));
        tables.push((out.join(flags::NAME), work.alike.table()?));
    }
    if !work.sheet.is_empty() {
        tables.push((out.join(marks::NAME), work.sheet.table()?));
    }
    for (path, bytes) in &tables {
        labs::write_whole(path, bytes)?;
    }
    let reports = reports.iter().filter(|name| !name.is_empty()).map(|name| out.join(name));
    Ok(tables.into_iter().map(|(path, _)| path).chain(reports).collect())
}
