//! Watch mode: the current exercise is checked whenever its file is saved; keys do the rest.
//!
//! Enters: keys, and times of files. Leaves: a screen.

use crate::session::{Session, say};
use anstyle::Style;
use anyhow::{Context as _, Result};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{cursor, event, execute, terminal};
use std::time::{Duration, SystemTime};

const KEY: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();

/// How often files are looked at.
const EVERY: Duration = Duration::from_millis(100);

/// Keys as they come, without Enter; ended when dropped.
struct Keys;

impl Keys {
    fn new() -> Result<Self> {
        terminal::enable_raw_mode().context("the terminal")?;
        Ok(Keys)
    }

    /// The key that was pressed within a time, if one was.
    fn wait(&self, time: Duration) -> Result<Option<char>> {
        if !event::poll(time).context("the terminal")? {
            return Ok(None);
        }
        Ok(match event::read().context("the terminal")? {
            Event::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press, .. }) => match code {
                KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => Some('q'),
                KeyCode::Char(key) => Some(key),
                KeyCode::Enter => Some('r'),
                _ => None,
            },
            Event::Resize(..) => Some('r'),
            _ => None,
        })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // There is nothing better to do where the terminal is gone.
        let _ = terminal::disable_raw_mode();
    }
}

/// Watches until the student quits.
pub(crate) fn watch(session: &mut Session) -> Result<u8> {
    let mut below = String::new();
    loop {
        let saved = modified(session);
        let at = session.current();
        let (text, _) = session.check(at)?;
        show(session, &format!("{text}{below}"))?;
        below.clear();
        let keys = Keys::new()?;
        loop {
            match keys.wait(EVERY)? {
                Some('q') => return Ok(0),
                Some('r') => break,
                Some('n') if session.is_done() => {
                    if !session.next()? {
                        below = "\nAll exercises are done.\n".to_owned();
                    }
                    break;
                }
                Some('n') => {
                    below = format!("\n{NOTE}n goes on once this exercise is passed{NOTE:#}\n");
                    break;
                }
                Some('h') => {
                    below = format!("\n{}", session.next_hint(at)?);
                    break;
                }
                Some('l') => {
                    drop(keys);
                    clear()?;
                    session.list()?;
                    say(&format!("\n{NOTE}any key goes back{NOTE:#}\n"));
                    let keys = Keys::new()?;
                    while keys.wait(EVERY)?.is_none() && modified(session) == saved {}
                    break;
                }
                Some(_) => {}
                None if modified(session) != saved => break,
                None => {}
            }
        }
    }
}

/// When the current file was saved; none while an editor replaces it.
fn modified(session: &Session) -> Option<SystemTime> {
    std::fs::metadata(session.file()).and_then(|file| file.modified()).ok()
}

fn clear() -> Result<()> {
    execute!(std::io::stdout(), terminal::Clear(terminal::ClearType::All), cursor::MoveTo(0, 0))
        .context("the terminal")
}

fn show(session: &Session, text: &str) -> Result<()> {
    clear()?;
    let next = if session.is_done() { format!("{KEY}n{KEY:#}:next / ") } else { String::new() };
    say(&format!(
        "{text}\n{}\nCurrent exercise: {}\n\n{next}{KEY}h{KEY:#}:hint / {KEY}l{KEY:#}:list / {KEY}r{KEY:#}:check again / {KEY}q{KEY:#}:quit\n",
        session.bar(),
        session.file().display(),
    ));
    Ok(())
}
