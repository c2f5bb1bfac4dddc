//! Watch mode: the current exercise is checked whenever its file is saved; keys do the rest.
//!
//! Enters: keys, and the state of files. Leaves: a screen. Keys are those of rustlings.

use crate::list::{self, List};
use crate::session::Session;
use crate::terminal::{Happening, Terminal};
use crate::wrap::wrapped;
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use crossterm::event::KeyCode;
use program::Exit;
use std::path::Path;
use std::time::{Duration, SystemTime};

const KEY: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();
const WARN: Style = AnsiColor::Yellow.on_default();

/// How often the file is checked for changes.
const EVERY: Duration = Duration::from_millis(50);
/// How long a file must have stayed the same: some editors empty it first, and write then.
const SETTLED: Duration = Duration::from_millis(15);

/// A file as it was at a time: a rename in its place shows as well as a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
    file: u64,
}

impl Stamp {
    /// None where there is no file, as while an editor replaces it.
    fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        let file = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let file = 0;
        Some(Stamp { modified: metadata.modified().ok(), bytes: metadata.len(), file })
    }
}

/// Watches until the student quits.
pub(crate) fn watch(session: &mut Session) -> Result<Exit> {
    let terminal = Terminal::enter()?;
    let mut watching = Watching { session, terminal: &terminal, stamp: None, text: String::new() };
    watching.check()?;
    let mut below = String::new();
    loop {
        watching.show(&below)?;
        below = match watching.next()? {
            Next::Quit => break,
            Next::Changed | Next::Press('r') => {
                watching.check()?;
                String::new()
            }
            Next::Resized => below,
            Next::Press(key) => watching.press(key).unwrap_or_else(|error| {
                let found = record::text::visible_lines(&format!("{error:#}")).into_owned();
                format!("{WARN}{found}{WARN:#}\n")
            }),
        };
    }
    let (bar, go_on) = (watching.session.bar(), watching.session.typed(""));
    drop(terminal);
    crate::output::say(&format!("\n{bar}\n{NOTE}{go_on} continues where you are{NOTE:#}\n"));
    Ok(Exit::Success)
}

/// Event that ends waiting.
enum Next {
    Changed,
    Resized,
    Press(char),
    Quit,
}

struct Watching<'a> {
    session: &'a mut Session,
    terminal: &'a Terminal,
    /// The file when it was checked last.
    stamp: Option<Stamp>,
    /// Message about it.
    text: String,
}

impl Watching<'_> {
    /// Checks the current exercise; if it cannot be checked, that is reported, and it is watched all the same.
    fn check(&mut self) -> Result<()> {
        self.stamp = Stamp::of(&self.session.file());
        self.text = match self.session.check(self.session.current()) {
            Ok((text, _)) => text,
            Err(error) => {
                let found = record::text::visible_lines(&format!("{error:#}")).into_owned();
                let gone = self.stamp.is_none();
                let help = if gone { "x restores it; or save it again" } else { "save it again" };
                format!("{WARN}{found}{WARN:#}\n{NOTE}{help}{NOTE:#}\n")
            }
        };
        Ok(())
    }

    fn show(&self, below: &str) -> Result<()> {
        let done = self.session.is_done();
        let (next, solution) = if done {
            (format!("{KEY}n{KEY:#}:next / "), format!("{KEY}s{KEY:#}:solution / "))
        } else {
            (String::new(), String::new())
        };
        let gap = if below.is_empty() { "" } else { "\n" };
        let messages = wrapped(&format!("{}{gap}{below}", self.text), self.terminal.size().0);
        self.terminal.show(&format!(
            "{messages}\n{}\nCurrent exercise: {}\n\n{next}{KEY}h{KEY:#}:hint / {solution}{KEY}l{KEY:#}:list / \
             {KEY}c{KEY:#}:check all / {KEY}x{KEY:#}:reset / {KEY}r{KEY:#}:run again / {KEY}q{KEY:#}:quit ? ",
            self.session.bar(),
            self.session.file().display(),
        ))
    }

    fn next(&self) -> Result<Next> {
        let path = self.session.file();
        loop {
            match self.terminal.wait(EVERY)? {
                Some(Happening::Quit | Happening::Key(KeyCode::Char('q'))) => return Ok(Next::Quit),
                Some(Happening::Resized) => return Ok(Next::Resized),
                Some(Happening::Key(KeyCode::Enter)) => return Ok(Next::Press('r')),
                Some(Happening::Key(KeyCode::Char(key))) => return Ok(Next::Press(key)),
                Some(Happening::Key(_)) => {}
                None if Stamp::of(&path) != self.stamp => {
                    let mut stamp = Stamp::of(&path);
                    loop {
                        std::thread::sleep(SETTLED);
                        let now = Stamp::of(&path);
                        if now == stamp {
                            break;
                        }
                        stamp = now;
                    }
                    return Ok(Next::Changed);
                }
                None => {}
            }
        }
    }

    /// The effect of a key; returns the message about it.
    fn press(&mut self, key: char) -> Result<String> {
        Ok(match key {
            'n' if !self.session.is_done() => {
                format!("{NOTE}n continues once this exercise is passed; l chooses another one{NOTE:#}\n")
            }
            'n' => {
                if self.session.next() {
                    self.check()?;
                    String::new()
                } else {
                    let quiz = self.session.typed("quiz");
                    format!("All exercises are done. {quiz} has questions on every chapter.\n")
                }
            }
            'h' if self.session.is_done() => {
                format!(
                    "{NOTE}this exercise is passed: s shows the workbook's own solution, n continues{NOTE:#}\n"
                )
            }
            'h' => self.session.next_hint(self.session.current())?,
            's' if self.session.is_done() => self.session.solution_text(self.session.current())?,
            's' => format!("{NOTE}the solution is shown once this exercise is passed; h helps{NOTE:#}\n"),
            'l' => {
                let before = self.session.current();
                let said = self.list()?;
                if self.session.current() != before || !said.is_empty() || self.is_changed() {
                    self.check()?;
                }
                said
            }
            'c' => self.check_all()?,
            'x' => self.reset()?,
            _ => format!("{NOTE}`{}` is not a key here{NOTE:#}\n", key.escape_default()),
        })
    }

    fn is_changed(&self) -> bool {
        Stamp::of(&self.session.file()) != self.stamp
    }

    /// A key that answers a question; none where the program is to end, which the next wait sees again.
    fn answer(&self) -> Result<Option<KeyCode>> {
        loop {
            match self.terminal.wait(EVERY)? {
                Some(Happening::Key(code)) => return Ok(Some(code)),
                Some(Happening::Quit) => return Ok(None),
                Some(Happening::Resized) | None => {}
            }
        }
    }

    fn reset(&mut self) -> Result<String> {
        let file = self.session.file();
        self.show(&format!(
            "{WARN}Start {} over?{WARN:#} Your version is kept next to it as `.cu.old`. (y/n)\n",
            file.display()
        ))?;
        if self.answer()? != Some(KeyCode::Char('y')) {
            return Ok(format!("{NOTE}nothing was changed{NOTE:#}\n"));
        }
        let said = self.session.reset_at(self.session.current())?;
        self.check()?;
        Ok(said)
    }

    fn check_all(&mut self) -> Result<String> {
        let terminal = self.terminal;
        let said = self
            .session
            .check_all(&mut |at, of, name| terminal.show(&format!("Checking {at}/{of}: {name}\n")))?;
        self.check()?;
        Ok(said)
    }

    /// The list, until something was chosen; returns the message about it.
    fn list(&mut self) -> Result<String> {
        self.terminal.other_screen()?;
        let said = self.in_list();
        self.terminal.main_screen()?;
        said
    }

    fn in_list(&mut self) -> Result<String> {
        let mut list = List::new(self.session.current());
        let mut said = String::new();
        loop {
            let rows = self.session.rows();
            let (columns, lines) = self.terminal.size();
            self.terminal.show(&list.draw(&rows, &self.session.bar(), columns, lines, &said))?;
            said.clear();
            let Some(key) = self.answer_or_resize()? else { continue };
            match list.press(key, &rows) {
                list::Choice::Stay => {}
                list::Choice::Leave => return Ok(String::new()),
                list::Choice::Continue(at) => {
                    self.session.go_to(at);
                    return Ok(String::new());
                }
                list::Choice::Reset(at) => said = self.session.reset_at(at)?,
            }
        }
    }

    /// A key; none where the window has another size.
    fn answer_or_resize(&self) -> Result<Option<KeyCode>> {
        loop {
            match self.terminal.wait(EVERY)? {
                Some(Happening::Key(code)) => return Ok(Some(code)),
                Some(Happening::Quit) => return Ok(Some(KeyCode::Esc)),
                Some(Happening::Resized) => return Ok(None),
                None => {}
            }
        }
    }
}
