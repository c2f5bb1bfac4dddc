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
    let code = match Cli::try_parse().map(|cli| run(cli.command)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => {
            program::tell(&format!("{error:#}\n"));
            program::Exit::Unusable.into()
        }
        Err(error) => program::usage(&error),
    };
    program::end("mdbook-labs", code)
}

fn run(command: Option<Command>) -> anyhow::Result<ExitCode> {
    let Some(Command::Supports { renderer }) = command else {
        preprocess()?;
        return Ok(ExitCode::SUCCESS);
    };
    // The answer is the exit code; there is nothing to say.
    Ok(if Labs.supports_renderer(&renderer)? { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn preprocess() -> anyhow::Result<()> {
    let (context, book) = parse_input(std::io::stdin().lock())?;
    let book = Labs.run(&context, book)?;
    program::put(&serde_json::to_vec(&book)?);
    Ok(())
}
