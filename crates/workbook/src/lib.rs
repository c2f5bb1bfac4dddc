//! The program `workbook`: it gives a student exercises, checks them whenever a file is saved, and helps.
//!
//! Enters: the command line, keys, and the student's files. Leaves: text on the terminal, files in the exercises' folder,
//! exit codes. The crate `checker` decides what is right; this one shows it.

mod command;
mod command_lines;
mod folder;
mod list;
mod output;
mod progress;
mod quiz;
mod session;
mod submit;
mod terminal;
mod watch;
mod wrap;
mod written_answers;

pub use command::{main, main_with};
