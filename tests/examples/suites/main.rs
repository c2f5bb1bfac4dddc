//! Public suites of CUDA C: how many of their files our compiler takes as they are, and whether what it makes of them does the
//! same as nvcc's PTX.
//!
//! ```text
//! cargo run --release -p tests --example suites -- [--include FOLDER]… [--own PROGRAM] [--run] FILE-OR-FOLDER…
//! ```
//!
//! `--own`: a build of the crate's example `cudac` instead of the compiler that is linked, so that a change of it needs no build of
//! this. With `--run` each file is compiled by nvcc too (of `PATH` or a toolkit), and each kernel runs on the embedded
//! device several times by both, in blocks of several shapes, with arguments that are guessed from how nvcc's code reads them
//! ([`arguments`]). A template of a kernel that only host code instantiates is instantiated by a line after the source, as NVRTC
//! has it done by a name expression (needs `c++filt`). Results are the same bits, close (as floats, to 1e-4: library
//! functions round differently), or differ; a kernel that faults by both is counted separately, since wrong arguments make any kernel
//! fault. Exit code 1 where one differs.

mod arguments;
mod compare;
mod compile;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arguments::{Plan, kernels_of};
use compare::{Outcome as _, Verdict, compare, launch};
use compile::{Own, instantiations, ours, theirs};

struct Settings {
    own: Own,
    run: bool,
    paths: Vec<PathBuf>,
}

fn settings() -> Result<Settings> {
    let mut found = Settings { own: Own::default(), run: false, paths: vec![] };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--include" => found.own.include.push(value()?.into()),
            "--own" => found.own.program = Some(value()?.into()),
            "--run" => found.run = true,
            _ if word.starts_with('-') => bail!("unknown argument {word}"),
            _ => found.paths.push(word.into()),
        }
    }
    if found.paths.is_empty() {
        bail!("which files? name some, or folders");
    }
    Ok(found)
}

fn sources(path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        found.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|extension| extension == "cu") {
            sources(&entry, found)?;
        }
    }
    Ok(())
}

/// Launches by verdict: all, and those that wrote anything at all.
type Counts = BTreeMap<Verdict, (usize, usize)>;

fn count(counts: &mut Counts, verdict: Verdict, wrote: bool) {
    let (all, writing) = counts.entry(verdict).or_default();
    *all += 1;
    *writing += usize::from(wrote);
}

/// Runs all kernels of a file by both.
fn run(own: &Own, path: &Path, first: &str, counts: &mut Counts) -> Result<()> {
    let theirs = theirs(own, path)?;
    let signatures = kernels_of(&theirs)?;
    let mut ours = first.to_owned();
    let known = kernels_of(&ours)?;
    let missing: Vec<&str> =
        signatures.keys().map(String::as_str).filter(|name| !known.contains_key(*name)).collect();
    let lines = instantiations(&missing)?;
    if !lines.is_empty() {
        match compile::ours(own, path, &lines)? {
            Ok(ptx) => ours = ptx,
            Err(why) => println!("    what the host instantiates does not compile: {why}"),
        }
    }
    let known = kernels_of(&ours)?;
    for (kernel, parameters) in &signatures {
        if !known.contains_key(kernel) {
            println!("    {kernel}: not among ours");
            count(counts, Verdict::Missing, false);
            continue;
        }
        for plan in Plan::all() {
            let a = launch(&theirs, kernel, parameters, &plan)?;
            let b = launch(&ours, kernel, parameters, &plan)?;
            let halves = kernel.contains("bfloat16") || kernel.contains("6__half");
            let verdict = compare(&a, &b, halves);
            let wrote = matches!(&a, Ok(run) if run.wrote);
            count(counts, verdict, wrote);
            if verdict == Verdict::Differs {
                println!("    {kernel} ({plan}): differs ({}; {})", a.words(), b.words());
            }
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let settings = settings()?;
    let mut files = vec![];
    for path in &settings.paths {
        sources(path, &mut files).with_context(|| path.display().to_string())?;
    }
    let (mut compiled, mut counts) = (0, Counts::new());
    for path in &files {
        match ours(&settings.own, path, "")? {
            Err(why) => println!("{}: {why}", path.display()),
            Ok(ptx) => {
                compiled += 1;
                println!("{}: compiled", path.display());
                if settings.run
                    && let Err(error) = run(&settings.own, path, &ptx, &mut counts)
                {
                    println!("    not compared: {}", error.to_string().lines().next().unwrap_or_default());
                }
            }
        }
    }
    println!("{compiled} of {} files compile", files.len());
    for (verdict, (all, writing)) in &counts {
        println!("{verdict:?}: {all} launches, of which {writing} wrote something");
    }
    if counts.contains_key(&Verdict::Differs) {
        std::process::exit(1);
    }
    Ok(())
}
