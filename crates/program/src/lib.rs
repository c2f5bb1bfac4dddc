//! The command line, standard output and the end of a program, the same in every binary.
//!
//! Enters: text with ANSI styles, a wrong command line, an exit code. Leaves: the text where the reader sees it, and the
//! exit code, which also says whether all of the text arrived. This crate must never know what a program does.
//!
//! A pipe that its reader has closed (`| head`) is not a failure: its reader needs no more. Output that does not arrive for any
//! other reason, say on a full disk, is lost, and the program says so once, at its end: files are written all the same.

mod exit;
mod invocation;
mod options;

pub use exit::Exit;
pub use invocation::{Again, Called, Calls, archive, args, begin, quoted};
pub use options::{CompilerOptions, with_dashes};

use record::text::visible_lines;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

/// Why standard output did not take everything. It is the process's, as the stream is.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints text to standard output, without its styles where that is not a terminal.
pub fn say(text: &str) {
    note(all(anstream::stdout(), text.as_bytes()));
}

/// Prints data to standard output, as they are.
pub fn put(bytes: &[u8]) {
    note(all(io::stdout(), bytes));
}

/// Prints text to standard error, without its styles where that is not a terminal.
pub fn tell(text: &str) {
    // If it is closed or full, there is no other place to say so.
    let _ = all(anstream::stderr(), text.as_bytes());
}

/// Prints what is wrong with the command line, or the help that it asks for, and returns how to exit.
pub fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        say(&error.render().ansi().to_string());
        return ExitCode::SUCCESS;
    }
    let styled = error.render();
    let plain = styled.to_string();
    let shown = visible_lines(&plain);
    // Where it quotes an argument that a terminal would obey, it is shown without its colours.
    tell(&if shown == plain { styled.ansi().to_string() } else { shown.into_owned() });
    Exit::Unusable.into()
}

/// Ends a program of this name: with this code, unless it was success and some of its output was lost.
pub fn end(program: &str, code: ExitCode) -> ExitCode {
    let Some(why) = LOST.get() else { return code };
    tell(&format!(
        "{program}: some of the output is lost: writing to standard output: {why}; make room, or send it elsewhere\n"
    ));
    if code == ExitCode::SUCCESS { Exit::Unusable.into() } else { code }
}

/// Writes all of it now: text that waits for the end of a line would fail when the program is no longer running to say so.
fn all(mut stream: impl Write, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)?;
    stream.flush()
}

fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first is why the others failed.
        let _ = LOST.set(error);
    }
}
