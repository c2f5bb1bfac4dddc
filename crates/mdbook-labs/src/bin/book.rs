//! Builds the book, and on demand opens or serves it.

use clap::Parser;
use mdbook_labs::{Server, build, log_to_stderr, root};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Builds the book with the recorded numbers in it.
///
///   cargo run --bin book                  into target/book
///   cargo run --bin book -- --open        and shows it in the browser
///   cargo run --bin book -- --serve       and serves it; a reload shows what was changed
///   cargo run --bin book -- --out public  into a folder that it alone writes
///
/// A lab that you have run is in it too: its numbers stand beside the reference's.
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Cli {
    /// Show the book in the browser
    #[arg(long)]
    open: bool,
    /// Serve the book on this machine, and build it anew when a source has changed
    #[arg(long)]
    serve: bool,
    /// The port for --serve; 0 takes any that is free
    #[arg(long, default_value_t = 3000, requires = "serve")]
    port: u16,
    /// The folder of book.toml; without it, the nearest one from here upwards
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Where to put the book, instead of the folder that book.toml names: one that is empty, not there yet, or holds
    /// nothing but a book that this program has put there
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    log_to_stderr();
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    let root = match &cli.dir {
        Some(dir) => root(dir)?,
        None => root(Path::new("."))?,
    };
    let page = build(&root, cli.out.as_deref())?;
    let shown =
        std::env::current_dir().ok().and_then(|here| page.strip_prefix(here).ok().map(Path::to_owned));
    println!("The book is in {}", shown.as_deref().unwrap_or(&page).display());
    if cli.serve {
        let server = Server::new(&root, cli.out.as_deref(), &page, cli.port)?;
        println!("Serving it at {} (Ctrl-C ends this)", server.url());
        if cli.open {
            opener::open_browser(server.url())?;
        }
        server.run();
    } else if cli.open {
        opener::open_browser(&page)?;
    }
    Ok(())
}
