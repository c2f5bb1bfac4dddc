//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod browser;
mod coursework;
mod edited;
mod end_to_end;
mod programs;
