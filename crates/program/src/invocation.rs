//! How the reader called this program, and calls the others.
//!
//! Enters: what the binary that answers to all names found in its command line; nothing where a program is a separate
//! binary. Leaves: the program's arguments, the command lines that messages name, and the way to start this program again.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program of the binary that answers to all names.
#[derive(Debug)]
pub struct Called {
    /// The program's name, such as `lab-5-5`.
    pub name: &'static str,
    /// Its arguments.
    pub words: Vec<OsString>,
    /// How the reader calls the others.
    pub calls: Calls,
}

/// It is the process's, as its command line is.
static CALLED: OnceLock<Called> = OnceLock::new();

/// Records how the program was called; once, before it begins. Without this call it is a separate binary.
pub fn begin(called: Called) {
    // A process is called once.
    let _ = CALLED.set(called);
}

/// The command line of the program: its name, then its arguments.
pub fn args() -> Vec<OsString> {
    match CALLED.get() {
        Some(called) => std::iter::once(called.name.into()).chain(called.words.iter().cloned()).collect(),
        None => std::env::args_os().collect(),
    }
}

/// How the reader starts programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Calls {
    /// In a clone: `cargo run --bin lab-5-5 -- --quick`.
    Cargo,
    /// By name, with the text before it: `bin/lab-5-5 --quick`.
    Named(String),
    /// As the first argument of a program, by its path: `bin/warpbook lab-5-5 --quick`.
    Through(String),
}

impl Calls {
    /// Those of the binary that answers to all names; `None` where this is a separate binary.
    pub fn archive() -> Option<&'static Calls> {
        CALLED.get().map(|called| &called.calls)
    }

    /// Those of this process. A separate binary is taken for one that cargo runs.
    pub fn here() -> &'static Calls {
        Calls::archive().unwrap_or(&Calls::Cargo)
    }

    /// A program, to which arguments can be added: `cargo run --bin lab-5-5 --`.
    pub fn program(&self, name: &str) -> String {
        match self {
            Calls::Cargo => format!("cargo run --bin {name} --"),
            Calls::Named(before) => quoted(&format!("{before}{name}")),
            Calls::Through(program) => format!("{} {name}", quoted(program)),
        }
    }

    /// A program with arguments, as they are typed.
    pub fn line(&self, name: &str, words: &str) -> String {
        let program = self.program(name);
        if words.is_empty() {
            program.strip_suffix(" --").unwrap_or(&program).to_owned()
        } else {
            format!("{program} {words}")
        }
    }
}

/// A word quoted so that a shell takes it as one.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./\\:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The folder of the archive that the binary for all names is in: the one that holds `bin`. `None` in a clone.
pub fn archive() -> Option<PathBuf> {
    CALLED.get()?;
    Some(executable().ok()?.parent()?.parent()?.to_owned())
}

/// This program, to be started again with arguments that follow.
#[derive(Clone, Debug)]
pub struct Again {
    /// The binary's path.
    pub path: PathBuf,
    /// The name by which it knows what it is, if that is not its own.
    pub name: Option<&'static str>,
}

impl Again {
    /// This process's program.
    ///
    /// # Errors
    /// The system does not say where it is.
    pub fn here() -> io::Result<Again> {
        let path = executable()?;
        // A copy of the binary that has a program's name is that program.
        let other = |called: &&Called| path.file_stem().is_none_or(|stem| stem != called.name);
        let name = CALLED.get().filter(other).map(|called| called.name);
        Ok(Again { path, name })
    }

    /// Its start.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(self.name);
        command
    }
}

/// The binary itself, where a link to it was called. Windows has no links here, and its full paths are not all programs'.
fn executable() -> io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    if cfg!(windows) { Ok(path) } else { Path::canonicalize(&path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_the_reader_types() {
        let named = |before: &str| Calls::Named(before.to_owned());
        let through = |program: &str| Calls::Through(program.to_owned());
        for (calls, words, line) in [
            (Calls::Cargo, "", "cargo run --bin book"),
            (Calls::Cargo, "--open", "cargo run --bin book -- --open"),
            (named(""), "", "book"),
            (named("bin/"), "--open", "bin/book --open"),
            (through("warpbook"), "", "warpbook book"),
            (through("./warpbook"), "--open", "./warpbook book --open"),
        ] {
            assert_eq!(calls.line("book", words), line);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_with_a_space_is_quoted() {
        assert_eq!(Calls::Named("my books/bin/".to_owned()).line("book", ""), "'my books/bin/book'");
    }

    /// A test is not a program of the binary for all names.
    #[test]
    fn a_binary_of_its_own_has_the_process_s_arguments_and_starts_itself() -> io::Result<()> {
        assert_eq!(args(), std::env::args_os().collect::<Vec<_>>());
        assert_eq!(Calls::here(), &Calls::Cargo);
        assert_eq!(archive(), None);
        let again = Again::here()?;
        assert_eq!((again.name, again.path.is_file()), (None, true));
        Ok(())
    }
}
