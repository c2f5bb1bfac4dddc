//! The compiler on the command line, for those who work on it.
//!
//! ```text
//! cargo run -p cuda --release --example cudac -- FILE.cu [--arch compute_90a] [-D NAME=VALUE] [-I FOLDER] [--no-fmad] [--use_fast_math]
//!     [--time] [--repeat N] [--emit tokens|tree|program|module|optimized|ptx] [-o FILE]
//! ```
//!
//! `--time` tells how long each stage took: of the first time, which is what a reader waits for, and with `--repeat` of the
//! quickest of all.
//!
//! PTX goes to standard output (or to the file), messages to standard error. Exit codes: 0 compiled, 1 the source has
//! errors, 2 wrong use.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use cuda::{Failure, Header, Input, Options, Output, Stage, compile_watched, diagnostic::render};

struct Arguments {
    file: PathBuf,
    folders: Vec<PathBuf>,
    options: Options,
    time: bool,
    repeat: u32,
    stage: Stage,
    out: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut file = None;
    let mut parsed = Arguments {
        file: PathBuf::new(),
        folders: vec![],
        options: Options::default(),
        time: false,
        repeat: 1,
        stage: Stage::Ptx,
        out: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = |joined: &str| match joined {
            "" => words.next().ok_or_else(|| format!("{word} needs a value")),
            joined => Ok(joined.to_owned()),
        };
        if let Some(joined) = word.strip_prefix("-D") {
            let value = value(joined)?;
            let (name, value) = value.split_once('=').unwrap_or((&value, "1"));
            parsed.options.defines.push((name.to_owned(), value.to_owned()));
        } else if let Some(joined) = word.strip_prefix("-I") {
            parsed.folders.push(value(joined)?.into());
        } else if let Some(joined) = word.strip_prefix("-o") {
            parsed.out = Some(value(joined)?.into());
        } else {
            match word.as_str() {
                "--arch" => parsed.options.arch = value("")?.parse()?,
                "--emit" => parsed.stage = stage(&value("")?)?,
                "--no-fmad" => parsed.options.fmad = false,
                "--use_fast_math" => parsed.options.fast_math = true,
                "--time" => parsed.time = true,
                "--repeat" => parsed.repeat = value("")?.parse().map_err(|_| "--repeat needs a number")?,
                _ if word.starts_with('-') => return Err(format!("{word} is no option")),
                _ => file = Some(word),
            }
        }
    }
    parsed.file = file.ok_or("there is no file to compile")?.into();
    Ok(parsed)
}

fn stage(name: &str) -> Result<Stage, String> {
    Ok(match name {
        "tokens" => Stage::Tokens,
        "tree" => Stage::Tree,
        "program" => Stage::Program,
        "module" => Stage::Module,
        "optimized" => Stage::Optimized,
        "ptx" => Stage::Ptx,
        _ => return Err(format!("{name} is no stage")),
    })
}

/// How long each stage took.
type Times = Vec<(Stage, Duration)>;

/// Compiles, keeps what the wanted stage left, and how long each took.
fn compile_once(
    input: &Input<'_>,
    arguments: &Arguments,
    shown: &mut Option<String>,
    times: &mut Times,
) -> Result<Output, Failure> {
    let mut last = Instant::now();
    compile_watched(input, &arguments.options, |stage, print| {
        times.push((stage, last.elapsed()));
        if stage == arguments.stage {
            *shown = Some(print());
        }
        last = Instant::now();
    })
}

/// Writes how long each stage took, the first time and at best.
fn tell(first: &Times, least: &Times) {
    let line = |name: &str, first: Duration, least: Duration| {
        let (first, least) = (first.as_secs_f64() * 1e3, least.as_secs_f64() * 1e3);
        eprintln!("{name:>10} {first:8.3} ms {least:8.3} ms");
    };
    for ((stage, first), (_, least)) in first.iter().zip(least) {
        line(&format!("{stage:?}"), *first, *least);
    }
    let all = |times: &Times| times.iter().map(|(_, time)| *time).sum();
    line("all", all(first), all(least));
}

fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|problem| format!("{}: {problem}", arguments.file.display()))?;
    let beside = arguments.file.parent().unwrap_or(Path::new("")).to_owned();
    let include = |path: &str| {
        let folders = std::iter::once(&beside).chain(&arguments.folders);
        folders.filter_map(|folder| std::fs::read_to_string(folder.join(path)).ok()).next().map(Header::from)
    };
    let name = arguments.file.to_string_lossy();
    let input = Input { name: &name, text: &text, include: &include };
    let mut shown = None;
    let mut times = Times::default();
    let mut compiled = compile_once(&input, arguments, &mut shown, &mut times);
    let first = times.clone();
    for _ in 1..arguments.repeat {
        let mut again = Times::default();
        compiled = compile_once(&input, arguments, &mut None, &mut again);
        for ((_, least), (_, time)) in times.iter_mut().zip(again) {
            *least = time.min(*least);
        }
    }
    if arguments.time {
        tell(&first, &times);
    }
    let (code, diagnostics, sources) = match &compiled {
        Ok(output) => (ExitCode::SUCCESS, &output.warnings, &output.sources),
        Err(failure) => (ExitCode::FAILURE, &failure.diagnostics, &failure.sources),
    };
    eprint!("{}", render(diagnostics, sources, false));
    if let Some(text) = shown {
        match &arguments.out {
            Some(path) => {
                std::fs::write(path, text).map_err(|problem| format!("{}: {problem}", path.display()))?
            }
            // A closed pipe is no error of the compiler's.
            None => drop(std::io::stdout().write_all(text.as_bytes())),
        }
    }
    Ok(code)
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("cudac: {problem}");
            ExitCode::from(2)
        }
    }
}
