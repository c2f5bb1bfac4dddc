//! The command line.

use clap::Parser;
use std::path::PathBuf;

/// Grades a folder of submissions, which holds a folder for each student: with the file of `workbook submit` (*.toml), with
/// records (*.json, written by labs), or both.
///
/// Every exercise is compiled by the workbook's own compiler and run again, on the cases that it shows and on hidden ones,
/// which the instructor's seed decides. Answers to questions are compared with the book's; answers in words are put into a
/// sheet, marks.csv, for a person to mark.
///
/// Every record is checked, and its lab is rerun on the embedded device, once with the record's parameters and once with
/// the instructor's own seed. The record is compared with the results.
#[derive(Debug, Parser)]
#[command(name = "grade", version, max_term_width = 80, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of submissions, with a folder for each student
    pub(crate) submissions: PathBuf,

    /// Folder for the grades and the reports
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Instructor's seed: choose one that students do not know [default: 20260]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Table with the columns student and seed: the seed with which each
    /// student must run the labs
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) seeds: Option<PathBuf>,

    /// Continue an interrupted grading, or grade new submissions: grades that
    /// are already in --out are kept
    #[arg(long)]
    pub(crate) resume: bool,

    /// Timeout of a re-run, in seconds; the record is then reported as not
    /// graded and costs no point [default: 3600, from the rules]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,

    /// Number of parallel re-runs [default: one per core, as memory allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Rules merged over the grader's own (crates/grade/rules.toml), in this
    /// order
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,

    /// Folder of the course's own exercises, kernels or whole programs:
    /// exercises.toml, and NAME.cu for each
    #[arg(long, value_name = "DIR")]
    pub(crate) course: Option<PathBuf>,

    /// Sheet of marks for answers in words; it is written to marks.csv in
    /// --out [default: marks.csv in --out]
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) marks: Option<PathBuf>,

    /// Exit with 1 if any student's grade is below this
    #[arg(long, value_name = "PERCENT", value_parser = bar)]
    pub(crate) bar: Option<f64>,
}

/// Default of the instructor's seed.
pub(crate) const SEED: u64 = 20_260;

const EXAMPLES: &str = "\
Examples:
  grade submissions --out grades          grades/grades.csv has a row for every
                                          file, grades/students.csv one for
                                          every student, grades/NAME.md says why
  grade submissions --out grades --seed 48611
                                          your own seed
  grade submissions --out grades --seeds seeds.csv
                                          each student ran the labs with their
                                          own seed (lab-5-5 --seed 17)
  grade submissions --out grades --resume continues after an interrupt, grades
                                          what has come in since, and takes the
                                          points that you gave in grades/marks.csv
  grade submissions --out grades --marks marked.csv
                                          the sheet of marks is elsewhere
  grade submissions --out grades --rules course.toml
                                          other points, limits, assigned labs
  grade submissions --out grades --bar 50 exit code 1 if anyone is below 50 %

course.toml, for example (crates/grade/course.toml is a whole one):
  assigned = [\"lab-5-5\"]
  chapters = [\"constant-memory\"]
  [[check]]
  id = \"counters\"
  points = 4

Exit codes: 0 graded, 1 a grade is below --bar or a file could not be graded,
2 unusable input, 130 interrupted.";

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a number of seconds above 0 is needed, such as 30 or 0.5".to_owned()),
    }
}

fn bar(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("a percentage between 0 and 100 is needed".to_owned()),
    }
}
