//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod compare;
// Not through the package `tests`, which uses this one.
#[path = "../../../tests/src/fixture/mod.rs"]
#[allow(dead_code, missing_docs, unreachable_pub, unused_imports)]
mod fixture;
mod reading;
mod traces;
