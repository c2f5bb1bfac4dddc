//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod common;
mod determinism;
mod device_memory;
mod files;
mod lab_14_4;
mod lab_4_4;
mod lab_5_5;
mod limits;
mod list;
mod memory;
mod output;
mod products;
