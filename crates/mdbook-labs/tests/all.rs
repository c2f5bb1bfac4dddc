//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod books;
mod common;
mod directives;
mod hostile;
mod own_run;
mod sources;
