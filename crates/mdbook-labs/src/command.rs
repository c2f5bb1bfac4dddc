//! The program `book`: builds the book, and on demand opens or serves it.
//!
//! Enters: the command line. Leaves: a built book, messages about it, and an exit code.

use crate::book::{build, log_to_stderr, root};
use crate::serve::Server;
use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use program::Calls;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Open the book in the browser
    #[arg(long)]
    open: bool,
    /// Serve the book on this machine; when a source changes or a lab has run, rebuild it and reload the page
    #[arg(long)]
    serve: bool,
    /// Port for --serve; 0 chooses a free one
    #[arg(long, default_value_t = 3000, requires = "serve")]
    port: u16,
    /// Folder of book.toml [default: the nearest one from the current folder upwards]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Folder for the book, instead of the one named in book.toml: a new or empty one, or one that holds only a book
    /// written by this program
    #[arg(long)]
    out: Option<PathBuf>,
}

const EXAMPLES: [(&str, &str); 4] = [
    ("", "builds it into target/book"),
    ("--open", "and opens it in the browser"),
    ("--serve", "and serves it; a page reloads after a change"),
    ("--out public", "builds it into another folder"),
];

/// Description of the program, with examples as the reader types them.
fn about(calls: &Calls) -> String {
    let lines = EXAMPLES.map(|(words, does)| (calls.line("book", words), does));
    let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let examples: String = lines.iter().map(|(line, does)| format!("  {line:width$}  {does}\n")).collect();
    format!(
        "Builds the book with its recorded numbers.\n\n{examples}\n\
         The results of labs that you have run are shown next to the reference results."
    )
}

/// Runs the program: what the binary's `main` calls.
pub fn main() -> ExitCode {
    log_to_stderr();
    let mut command =
        Cli::command().about("Builds the book with its recorded numbers.").long_about(about(Calls::here()));
    let matches = command.try_get_matches_from_mut(program::args());
    let cli = matches
        .and_then(|matches| Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command)));
    let code = match cli.map(|cli| run(&cli)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            program::tell(&format!("{error:#}\n"));
            program::Exit::Unusable.into()
        }
        Err(error) => program::usage(&error),
    };
    program::end("book", code)
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    let root = match (&cli.dir, program::archive()) {
        (Some(dir), _) => root(dir)?,
        // From a folder elsewhere, the book is that of the archive that the program is from.
        (None, Some(archive)) => root(Path::new(".")).or_else(|why| root(&archive).map_err(|_| why))?,
        (None, None) => root(Path::new("."))?,
    };
    let page = build(&root, cli.out.as_deref())?;
    let shown =
        std::env::current_dir().ok().and_then(|here| page.strip_prefix(here).ok().map(Path::to_owned));
    program::say(&format!("The book is in {}\n", shown.as_deref().unwrap_or(&page).display()));
    if cli.serve {
        let server = Server::new(&root, cli.out.as_deref(), &page, cli.port)?;
        program::say(&format!("Serving it at {} (Ctrl-C ends this)\n", server.url()));
        if cli.open {
            opener::open_browser(server.url())?;
        }
        server.run();
    } else if cli.open {
        opener::open_browser(&page)?;
    }
    Ok(())
}
