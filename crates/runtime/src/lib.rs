//! What a whole CUDA program calls: the C library, and the CUDA runtime API over a device.
//!
//! Enters: calls of imported functions, by name, with the bits of their arguments, and the memory of the program's host side.
//! Leaves: results, bytes in that memory, standard output and error, and what the program did wrong. Where the host's side runs
//! (an interpreter of WebAssembly, the engine of a page) is not seen past [`Guest`]. This crate must never know how the program was
//! compiled.
//!
//! How arguments travel: an integer or a pointer as its bits in 64, of which those above its type's are not meant; a `float`
//! and a `double` as their bits; a struct as the address of a copy; a struct that is returned as an address, the first
//! argument, at which it is to be put. Arguments of `...` are at the address that the last argument is, a cell of 8 bytes each:
//! promoted as C promotes them. A `va_list` is the address of the next cell.

pub mod api;
mod guest;
pub mod heap;
pub mod library;

pub use guest::{Guest, Signal, Site};
