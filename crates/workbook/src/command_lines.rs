//! Commands as the reader types them: messages name the next one so that it can be copied.
//!
//! Enters: how this program was started. Leaves: command lines. This module must never know what a command does.

use program::{Calls, quoted};

/// How the program was started, and so how to start its other commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    calls: Calls,
    flags: Vec<String>,
}

impl Typed {
    /// As this process was, with the flags that hold for all commands.
    pub(crate) fn here(flags: Vec<String>) -> Self {
        // Cargo sets it for what it runs.
        let own =
            || if std::env::var_os("CARGO").is_some() { Calls::Cargo } else { Calls::Named(String::new()) };
        Typed { calls: Calls::archive().cloned().unwrap_or_else(own), flags }
    }

    /// The program with its flags and a command, such as `cargo run --bin workbook -- hint`.
    pub(crate) fn command(&self, command: &str) -> String {
        let flags = self.flags.iter().map(|flag| quoted(flag));
        let words: Vec<String> =
            flags.chain(Some(command.to_owned()).filter(|command| !command.is_empty())).collect();
        self.calls.line("workbook", &words.join(" "))
    }

    /// The start of a command line in help, which adds names and flags.
    pub(crate) fn program(&self) -> String {
        self.calls.program("workbook")
    }

    /// A table of commands, for help.
    pub(crate) fn examples(&self, examples: &[(&str, &str)]) -> String {
        let width = examples.iter().map(|(command, _)| self.command(command).len()).max().unwrap_or(0);
        let lines = examples.iter().map(|(command, does)| {
            let line = format!("  {:width$}  {does}", self.command(command));
            line.trim_end().to_owned()
        });
        std::iter::once("Examples:".to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_started_as_this_one_was() {
        let typed = |cargo, flags: &[&str]| Typed {
            calls: if cargo { Calls::Cargo } else { Calls::Named(String::new()) },
            flags: flags.iter().map(|f| (*f).into()).collect(),
        };
        for (typed, command, line) in [
            (typed(false, &[]), "", "workbook"),
            (typed(false, &[]), "hint", "workbook hint"),
            (typed(true, &[]), "", "cargo run --bin workbook"),
            (typed(true, &[]), "run a", "cargo run --bin workbook -- run a"),
            (typed(true, &["--dir", "my work"]), "hint", "cargo run --bin workbook -- --dir 'my work' hint"),
            (typed(true, &["--device", "gpu"]), "", "cargo run --bin workbook -- --device gpu"),
        ] {
            assert_eq!(typed.command(command), line);
        }
    }
}
