//! One program that answers to the names of all: what a release's archive holds.
//!
//! Enters: the command line. Leaves: a program's exit code, or help. The name is the one that this binary was called by
//! (by a link of that name, or a copy); else it is the first argument. Which programs there are is [`programs`].

mod help;
mod invocation;
mod programs;

use programs::Program;
use record::text::visible_lines;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

/// Name of this program.
const NAME: &str = "warpbook";

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let called = words.next().unwrap_or_else(|| NAME.into());
    let words: Vec<OsString> = words.collect();
    if let Some(program) = named(Path::new(&called).file_name().unwrap_or_default()) {
        return program.start(words, invocation::by_name(&called));
    }
    let Some((first, rest)) = words.split_first() else { return end(help::help(&called), ExitCode::SUCCESS) };
    if let Some(program) = named(first) {
        return program.start(rest.to_vec(), invocation::by_argument(&called, program.name));
    }
    match first.to_str() {
        Some("help" | "--help" | "-h") => end(help::help(&called), ExitCode::SUCCESS),
        Some("--version" | "-V") => end(format!("{NAME} {}\n", env!("CARGO_PKG_VERSION")), ExitCode::SUCCESS),
        _ => {
            program::tell(&visible_lines(&help::unknown(&called, &first.to_string_lossy())));
            program::Exit::Unusable.into()
        }
    }
}

/// The program of this name, which on Windows ends in `.exe` where it is a file's.
fn named(name: &OsStr) -> Option<&'static Program> {
    let name = name.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    programs::all().iter().find(|program| program.name == name)
}

fn end(text: String, code: ExitCode) -> ExitCode {
    program::say(&text);
    program::end(NAME, code)
}
