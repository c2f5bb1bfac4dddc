//! The grader: folders of records to points, with a reason for each.
//!
//! Enters: a folder with a folder for each student, and the rules. Leaves: `grades.csv`, `students.csv`, a report for each
//! student. Records are untrusted: they are read within limits, run again in processes that are ended in time, and what
//! their authors wrote is shown so that it can do nothing. Two gradings of the same folder give the same bytes.

mod cli;
mod compare;
mod grade;
mod intake;
mod judge;
mod output;
mod points;
mod progress;
mod report;
mod rerun;
mod rules;
mod status;
mod submissions;
mod table;
mod terminal;
mod text;
mod workbook;

use anyhow::{Context, Result, bail};
use clap::Parser as _;
use cli::Args;
use grade::{Graded, Settings};
use rules::Rules;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use submissions::{NOBODY, Student};

/// What the binary's `main` calls.
pub fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|first| first == rerun::CHILD) {
        return rerun::child();
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // clap prints help to stdout with code 0 and errors to stderr with code 2; if the stream is closed there is
            // nobody to tell.
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
    let rules = Rules::read(&args.rules, &workbook::names())?;
    let students = students(&args.submissions, &rules)?;
    outside(&args.out, &args.submissions)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = Settings {
        rules: &rules,
        seed: args.seed.unwrap_or(cli::SEED),
        jobs: args.jobs.map_or(cores, usize::from),
        limit: Duration::from_secs_f64(args.timeout.unwrap_or(rules.limits.seconds)),
        program: std::env::current_exe().context("finding this program to run labs again with it")?,
    };
    let (graded, runs) = grade::all(&students, &settings);
    let written = write(&args.out, &rules, &graded)?;

    let mut text = terminal::summary(&graded, runs);
    if args.seed.is_none() {
        text += &format!(
            "your own seed was {}, which students can know too; choose one with --seed\n",
            cli::SEED
        );
    }
    if rules.assigned.is_empty() {
        text += "no lab is assigned in the rules, so a grade is over the labs handed in\n";
    }
    text += &format!("grades: {}\n", args.out.join("grades.csv").display());
    // A reader that closes the pipe (`| head`) wants no more text; the files are written.
    let _ = write!(anstream::stdout(), "{text}");
    for stale in output::others(&args.out, &written) {
        let _ = writeln!(std::io::stderr(), "grade: {} is of another grading", stale.display());
    }
    Ok(match args.bar {
        Some(bar) if graded.iter().any(|of| is_below(of, bar)) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

fn is_below(of: &Graded, bar: f64) -> bool {
    of.student != NOBODY && (of.points.per_mille(of.of) as f64) < bar * 10.0
}

fn students(folder: &Path, rules: &Rules) -> Result<Vec<Student>> {
    let shown = folder.display();
    let students = submissions::walk(folder, &rules.limits)
        .with_context(|| format!("{shown}: give the folder that has a folder for each student"))?;
    if students.iter().all(|student| student.name == NOBODY) {
        bail!(
            "{shown}: there is no student's folder in it; each student's records go into a folder of their own"
        );
    }
    Ok(students)
}

/// Reports among the submissions would be graded the next time.
fn outside(out: &Path, submissions: &Path) -> Result<()> {
    let submissions = submissions.canonicalize().context("the folder of submissions")?;
    // The nearest folder that is there already says where the others will be.
    let here = std::env::current_dir().context("the working directory")?.join(out);
    let there = here.ancestors().find_map(|folder| folder.canonicalize().ok()).unwrap_or_default();
    if there.starts_with(&submissions) {
        bail!("--out {}: it is among the submissions; choose a folder elsewhere", out.display());
    }
    Ok(())
}

fn write(out: &Path, rules: &Rules, graded: &[Graded]) -> Result<Vec<PathBuf>> {
    let names = report::names(graded);
    let mut files = vec![
        (out.join("grades.csv"), table::files(rules, graded, &names)?),
        (out.join("students.csv"), table::students(graded, &names)?),
    ];
    for (of, name) in graded.iter().zip(names).filter(|(of, _)| of.student != NOBODY) {
        files.push((out.join(name), report::markdown(of).into_bytes()));
    }
    for (path, bytes) in &files {
        labs::write_whole(path, bytes)?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}
