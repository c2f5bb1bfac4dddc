//! The preprocessor as a command, for `mdbook build`: the book comes on stdin and goes to stdout, both as JSON.

use clap::{Parser, Subcommand};
use mdbook_labs::Labs;
use mdbook_preprocessor::{Preprocessor, parse_input};
use std::process::ExitCode;

/// Puts the records' numbers into the chapters. mdBook calls it:
///
///   [preprocessor.labs]
///   command = "cargo run --quiet --bin mdbook-labs"
///   before = ["links"]
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Exits with 0 if pages for this renderer can be made: `mdbook-labs supports html`
    Supports {
        /// mdBook's name of the renderer
        renderer: String,
    },
}

fn main() -> ExitCode {
    mdbook_labs::log_to_stderr();
    let done = match Cli::parse().command {
        Some(Command::Supports { renderer }) => match Labs.supports_renderer(&renderer) {
            Ok(true) => return ExitCode::SUCCESS,
            // The answer is the exit code; there is nothing to say.
            Ok(false) => return ExitCode::from(1),
            Err(error) => Err(error),
        },
        None => run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> anyhow::Result<()> {
    let (context, book) = parse_input(std::io::stdin().lock())?;
    let book = Labs.run(&context, book)?;
    serde_json::to_writer(std::io::stdout().lock(), &book)?;
    Ok(())
}
