//! Output of the program.
//!
//! Enters: text with ANSI styles. Leaves: the same text, on a terminal in lines that fit, in a file or pipe as it is.

use crate::wrap::wrapped;
use std::io::IsTerminal as _;

/// Writes lines to the terminal, which fit it.
pub(crate) fn say(text: &str) {
    match crossterm::terminal::size() {
        Ok((columns, _)) if columns > 0 && std::io::stdout().is_terminal() => {
            program::say(&wrapped(text, columns.into()));
        }
        _ => program::say(text),
    }
}
