//! The grader: folders of records to points, with a reason for each.
//!
//! Enters: a folder that holds a folder for each student, and the rules. Leaves: `grades.csv`, `students.csv` and a
//! report for each student. Records are untrusted: they are read within limits, rerun in processes whose instructions
//! and memory are bounded, and text from them is escaped wherever it is shown. Grading is reproducible: two gradings of
//! the same folder give the same bytes, whatever the number of jobs and the load of the machine, and even if one of
//! them was interrupted and resumed.

mod cli;
mod compare;
mod fields;
mod grade;
mod graded;
mod intake;
mod journal;
mod judge;
mod output;
mod points;
mod progress;
mod report;
mod rerun;
mod rules;
mod schedule;
mod seeds;
mod sketch;
mod status;
mod submissions;
mod table;
mod terminal;
mod text;
mod twins;
mod workbook;

use anyhow::{Context, Result, bail};
use clap::Parser as _;
use cli::Args;
use grade::{Course, Interrupted, Settings};
use graded::Graded;
use journal::Journal;
use rerun::Runner;
use rules::{Known, Rules};
use seeds::Seeds;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use submissions::{NOBODY, Student};

/// Exit code of an interrupted program, by the convention of shells: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// Entry point of the binary `grade`.
pub fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|first| first == rerun::CHILD) {
        return rerun::child();
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // clap prints help to stdout with code 0 and errors to stderr with code 2; if the stream is closed,
            // no one can read either.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "grade: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<ExitCode> {
    let known = Known { labs: &workbook::names(), judges: &judge::names() };
    let rules = Rules::read(&args.rules, known)?;
    let seeds = args.seeds.as_deref().map(seeds::read).transpose()?;
    let students = students(&args.submissions, &rules)?;
    outside(&args.out, &args.submissions)?;
    if let Some(path) = report::foreign(&args.out, &report::names(&students)) {
        bail!("{}: no grading wrote this file, and a report would replace it; move it away", path.display());
    }
    let journal = Journal::open(&args.out, args.resume)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(|| jobs(cores, rules.limits.memory_bytes), usize::from);
    let program = std::env::current_exe().context("finding this program, which reruns labs")?;
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
        fingerprint: fingerprint(args, &program)?,
    };
    let course = match grade::all(&students, &settings, &journal).with_context(|| {
        format!("the judgements so far are kept in {}; continue with --resume", args.out.display())
    })? {
        Ok(course) => course,
        Err(Interrupted { judged, of }) => {
            let out = args.out.display();
            let _ = writeln!(
                std::io::stderr(),
                "grade: interrupted; {judged} of {of} records are graded and kept in {out}; continue with the same command and --resume"
            );
            return Ok(ExitCode::from(INTERRUPTED));
        }
    };
    let written = write(&args.out, &rules, &course)?;
    let Course { graded, judged, .. } = &course;
    let open =
        graded.iter().flat_map(|of| &of.rows).filter(|row| row.status == status::Status::NotGraded).count();
    if open == 0 {
        journal.finish(judged.iter().map(|(key, judged)| (key.as_str(), judged)))?;
    }
    tell(args, &rules, seeds.as_ref(), &course, open);
    for stale in output::others(&args.out, &written) {
        let _ = writeln!(std::io::stderr(), "grade: {} is from another grading", stale.display());
    }
    Ok(match args.bar {
        _ if open > 0 => ExitCode::from(1),
        Some(bar) if graded.iter().any(|of| is_below(of, bar)) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// Prints the summary to the terminal.
fn tell(args: &Args, rules: &Rules, seeds: Option<&Seeds>, course: &Course, open: usize) {
    let mut text = terminal::summary(&course.graded, course.runs, course.kept);
    if args.seed.is_none() {
        text += &format!(
            "the seed was the default, {}, which students can know too; choose another with --seed\n",
            cli::SEED
        );
    }
    if let Some(seeds) = seeds {
        let names: Vec<&str> = course.graded.iter().map(|of| of.student.as_str()).collect();
        let absent = seeds.keys().filter(|student| !names.contains(&student.as_str())).count();
        if absent > 0 {
            text += &format!("{absent} of the students in --seeds handed in nothing\n");
        }
    }
    if rules.assigned.is_empty() {
        text += "the rules assign no labs, so a grade covers the labs handed in\n";
    }
    if open > 0 {
        text += &format!(
            "{open} files could not be graded, at no cost to their students; the same command with --resume tries again\n"
        );
    }
    text += &format!("grades: {}\n", args.out.join("grades.csv").display());
    // A reader that closes the pipe (`| head`) wants no more text, and the files are already written.
    let _ = write!(anstream::stdout(), "{text}");
}

/// Number of parallel re-runs: one per core, or fewer if their memory limits would exceed the memory available.
fn jobs(cores: usize, memory_bytes: u64) -> usize {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok()?.checked_mul(1024)
    });
    // Where the system does not tell how much memory is available: one per core.
    let fit = available.map_or(cores, |bytes| usize::try_from(bytes / memory_bytes).unwrap_or(cores));
    fit.clamp(1, cores)
}

/// Flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
fn interrupted() -> Result<&'static AtomicBool> {
    static INTERRUPTED_BY_USER: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| {
        if INTERRUPTED_BY_USER.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        let _ = writeln!(std::io::stderr(), "grade: stopping; press Ctrl-C again to stop at once");
    })
    .context("waiting for Ctrl-C")?;
    Ok(&INTERRUPTED_BY_USER)
}

/// Hash of the rules and of this program: an earlier judgement is reused only if it is unchanged.
fn fingerprint(args: &Args, program: &Path) -> Result<String> {
    let mut parts = rules::EMBEDDED.to_owned();
    for path in &args.rules {
        parts += &std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        parts.push('\0');
    }
    let program = std::fs::read(program).context("reading this program")?;
    Ok(kernels::sha256(parts) + &kernels::sha256(program))
}

fn is_below(of: &Graded, bar: f64) -> bool {
    of.student != NOBODY && (of.points.per_mille(of.of) as f64) < bar * 10.0
}

fn students(folder: &Path, rules: &Rules) -> Result<Vec<Student>> {
    let shown = folder.display();
    let students = submissions::walk(folder, &rules.limits)
        .with_context(|| format!("{shown}: the folder that holds a folder for each student is needed"))?;
    if students.iter().all(|student| student.name == NOBODY) {
        bail!(
            "{shown}: it holds no student's folder; each student's records belong in a folder of their own"
        );
    }
    Ok(students)
}

/// Refuses an output folder within the submissions, whose reports would be graded the next time.
fn outside(out: &Path, submissions: &Path) -> Result<()> {
    let submissions = submissions.canonicalize().context("the folder of submissions")?;
    // The nearest existing ancestor tells where the rest will be created.
    let here = std::env::current_dir().context("the working directory")?.join(out);
    let there = here.ancestors().find_map(|folder| folder.canonicalize().ok()).unwrap_or_default();
    if there.starts_with(&submissions) {
        bail!("--out {}: it is among the submissions; choose a folder elsewhere", out.display());
    }
    Ok(())
}

/// Writes the tables; the reports are written while grading. Returns the paths of all of them.
fn write(out: &Path, rules: &Rules, course: &Course) -> Result<Vec<PathBuf>> {
    let Course { graded, reports, .. } = course;
    let tables = [
        (out.join("grades.csv"), table::files(rules, graded, reports)?),
        (out.join("students.csv"), table::students(graded, reports)?),
    ];
    for (path, bytes) in &tables {
        labs::write_whole(path, bytes)?;
    }
    let reports = reports.iter().filter(|name| !name.is_empty()).map(|name| out.join(name));
    Ok(tables.into_iter().map(|(path, _)| path).chain(reports).collect())
}
