//! Builds the book, and on demand opens or serves it.

use clap::Parser;
use mdbook_labs::{Server, build, log_to_stderr, root};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Builds the book with its recorded numbers.
///
///   cargo run --bin book                  builds it into target/book
///   cargo run --bin book -- --open        and opens it in the browser
///   cargo run --bin book -- --serve       and serves it; a page reloads after a change
///   cargo run --bin book -- --out public  builds it into another folder
///
/// The results of labs that you have run are shown beside the reference's.
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
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

fn main() -> ExitCode {
    log_to_stderr();
    let code = match Cli::try_parse().map(|cli| run(&cli)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            program::tell(&format!("{error:#}\n"));
            ExitCode::from(program::UNUSABLE)
        }
        Err(error) => program::usage(&error),
    };
    program::end("book", code)
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    let root = match &cli.dir {
        Some(dir) => root(dir)?,
        None => root(Path::new("."))?,
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
