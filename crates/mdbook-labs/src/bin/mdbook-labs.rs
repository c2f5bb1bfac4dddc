//! The preprocessor as a command for `mdbook build`, which passes the book as JSON on stdin and reads it from stdout.

use clap::{Parser, Subcommand};
use mdbook_labs::Labs;
use mdbook_preprocessor::{Preprocessor, parse_input};
use std::process::ExitCode;

/// Inserts the numbers of records into the chapters. mdBook calls it:
///
///   [preprocessor.labs]
///   command = "cargo run --quiet --bin mdbook-labs"
///   before = ["links"]
///   records = "book/records"
///   claims = "labs/claims.toml"
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Exits with 0 if the renderer is supported: `mdbook-labs supports html`
    Supports {
        /// mdBook's name for the renderer
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
