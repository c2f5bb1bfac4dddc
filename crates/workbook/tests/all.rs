//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod commands;
mod conditions;
mod detectives;
mod equivalent_solutions;
mod exercises;
mod feedback;
mod programs;
mod submit;
mod watch;
