//! Decoder: any text gives a program, or an error that says where it is in the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let refusals = simt::Program::decode("x.ptx", &text).and_then(|program| program.refusals());
    let errors = match refusals {
        Ok(refusals) => refusals.into_iter().flat_map(|refusal| refusal.reasons).collect(),
        Err(error) => vec![error],
    };
    for error in errors {
        // First, or in parentheses after the line of the source that the text names.
        assert!(error.to_string().contains("x.ptx"), "{error}");
    }
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutator(data, size, max_size, seed)
});
