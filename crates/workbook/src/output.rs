//! What the program says.
//!
//! Enters: text with ANSI styles. Leaves: it on the terminal, in lines that fit, or in a file or pipe as it is.

use crate::wrapped::wrapped;
use std::io::{IsTerminal as _, Write as _};

/// Writes lines to the terminal, which fit it.
pub(crate) fn say(text: &str) {
    match crossterm::terminal::size() {
        Ok((columns, _)) if columns > 0 && std::io::stdout().is_terminal() => {
            print(&wrapped(text, columns.into()));
        }
        _ => print(text),
    }
}

/// Writes to the terminal; where nobody reads any more, nothing is lost.
pub(crate) fn print(text: &str) {
    let mut stdout = anstream::stdout();
    // A question stands at the end of a line that has none yet.
    let _ = write!(stdout, "{text}").and_then(|()| stdout.flush());
}
