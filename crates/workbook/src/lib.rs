//! The program `workbook`: it gives a student exercises, checks them whenever a file is saved, and helps.
//!
//! Enters: the command line, keys, and the student's files. Leaves: text on the terminal, files in the exercises' folder,
//! exit codes. What is right is decided in the crate `checker`; this one shows it.

mod command;
mod folder;
mod list;
mod output;
mod progress;
mod quiz;
mod session;
mod submit;
mod terminal;
mod typed;
mod watch;
mod words;
mod wrapped;

pub use command::{main, main_with};
