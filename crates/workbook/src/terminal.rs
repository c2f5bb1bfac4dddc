//! The terminal while keys are read one by one: raw mode, its end, frames.
//!
//! Enters: keys, sizes, text. Leaves: the same without the terminal's details. However the program ends, the terminal
//! is as it was.

use anyhow::{Context as _, Result};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{cursor, event, execute, terminal};
use std::io::{IsTerminal as _, stdin, stdout};
use std::time::Duration;

/// An event at the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    /// A key.
    Key(KeyCode),
    /// Ctrl-C or Ctrl-D.
    Quit,
    /// The window has another size.
    Resized,
}

/// Whether there is a keyboard, and a screen to draw on.
pub(crate) fn is_there() -> bool {
    stdin().is_terminal()
        && stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A terminal in raw mode, until it is dropped.
pub(crate) struct Terminal;

impl Terminal {
    pub(crate) fn enter() -> Result<Self> {
        // A signal ends the program without dropping anything.
        ctrlc::set_handler(|| {
            restore();
            program::Exit::Interrupted.now();
        })
        .context("the handler of signals")?;
        terminal::enable_raw_mode().context("the terminal")?;
        Ok(Terminal)
    }

    /// The event within a time, if there is one.
    pub(crate) fn wait(&self, time: Duration) -> Result<Option<Happening>> {
        if !event::poll(time).context("the terminal")? {
            return Ok(None);
        }
        Ok(match event::read().context("the terminal")? {
            Event::Key(KeyEvent {
                code,
                modifiers,
                kind: KeyEventKind::Press | KeyEventKind::Repeat,
                ..
            }) => match code {
                KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => {
                    Some(Happening::Quit)
                }
                code => Some(Happening::Key(code)),
            },
            Event::Resize(..) => Some(Happening::Resized),
            _ => None,
        })
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> (usize, usize) {
        // One that says 0 knows no more of its size than one that says nothing.
        let known = terminal::size().ok().filter(|(columns, rows)| *columns > 0 && *rows > 0);
        let (columns, rows) = known.unwrap_or((80, 24));
        (columns.into(), rows.into())
    }

    /// Shows a text instead of the current one.
    pub(crate) fn show(&self, text: &str) -> Result<()> {
        execute!(stdout(), terminal::Clear(terminal::ClearType::All), cursor::MoveTo(0, 0))
            .context("the terminal")?;
        // In raw mode a line feed goes down and not back.
        program::say(&text.replace('\n', "\r\n"));
        Ok(())
    }

    /// The alternate screen, until [`Terminal::main_screen`].
    pub(crate) fn other_screen(&self) -> Result<()> {
        execute!(stdout(), terminal::EnterAlternateScreen, cursor::Hide).context("the terminal")
    }

    pub(crate) fn main_screen(&self) -> Result<()> {
        execute!(stdout(), terminal::LeaveAlternateScreen, cursor::Show).context("the terminal")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Leaves the terminal as it was.
pub(crate) fn restore() {
    // There is nothing better to do where the terminal is gone. To leave a screen that was not entered does nothing.
    let _ = execute!(stdout(), terminal::LeaveAlternateScreen, cursor::Show);
    let _ = terminal::disable_raw_mode();
}
