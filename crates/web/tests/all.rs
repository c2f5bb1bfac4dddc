//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod exercises;
mod handles;
mod inspection;
mod session;
mod stills;
