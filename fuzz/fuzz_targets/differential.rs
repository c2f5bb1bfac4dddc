//! The device against an interpreter of one thread at a time: bytes decide the program and its inputs.
#![no_main]

#[path = "../../crates/simt/tests/scalar/mod.rs"]
mod scalar;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(message) = scalar::compare(data) {
        panic!("{message}");
    }
});
