//! Decoder: any text gives a program, or an error that begins with the text's name.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = simt::Program::decode("x.ptx", &text) {
        assert!(error.to_string().starts_with("x.ptx"), "{error}");
    }
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutator(data, size, max_size, seed)
});
