//! The C library, function by function.

mod allocation;
mod any;
mod glibc;
mod headers;
mod printf;
mod process;
mod streams;
mod strings;
