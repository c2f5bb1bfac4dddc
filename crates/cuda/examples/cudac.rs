//! The compiler on the command line, for those who work on it.
//!
//! ```text
//! cargo run -p cuda --release --example cudac -- FILE.cu [--arch compute_90a] [-D NAME=VALUE] [-I FOLDER] [--no-fmad]
//!     [--time] [--emit tokens|tree|program|module|optimized|ptx] [-o FILE]
//! ```
//!
//! PTX goes to standard output (or to the file), messages to standard error. Exit codes: 0 compiled, 1 the source has
//! errors, 2 wrong use.

use std::{
    cell::RefCell,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use cuda::{Input, Options, Stage, compile_watched, diagnostic::render};

struct Arguments {
    file: PathBuf,
    folders: Vec<PathBuf>,
    options: Options,
    time: bool,
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
                "--time" => parsed.time = true,
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

fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|problem| format!("{}: {problem}", arguments.file.display()))?;
    let beside = arguments.file.parent().unwrap_or(Path::new("")).to_owned();
    let include = |path: &str| {
        let folders = std::iter::once(&beside).chain(&arguments.folders);
        folders.filter_map(|folder| std::fs::read_to_string(folder.join(path)).ok()).next()
    };
    let name = arguments.file.to_string_lossy();
    let input = Input { name: &name, text: &text, include: &include };
    let mut shown = None;
    let times = RefCell::new(vec![]);
    let mut last = Instant::now();
    let compiled = compile_watched(&input, &arguments.options, |stage, print| {
        times.borrow_mut().push((stage, last.elapsed()));
        if stage == arguments.stage {
            shown = Some(print());
        }
        last = Instant::now();
    });
    if arguments.time {
        let times = times.into_inner();
        for (stage, time) in &times {
            eprintln!("{stage:>10?} {:8.3} ms", time.as_secs_f64() * 1e3);
        }
        let all: Duration = times.iter().map(|(_, time)| *time).sum();
        eprintln!("{:>10} {:8.3} ms", "all", all.as_secs_f64() * 1e3);
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
