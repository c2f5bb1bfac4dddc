//! Compiler of CUDA C: any text gives PTX that the device's parser reads, or errors.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let input = cuda::Input { name: "x.cu", text: &text, include: &|_| None };
    match cuda::compile(&input, &cuda::Options::default()) {
        Ok(output) => {
            let parsed = ptx::parse(&output.ptx);
            assert!(parsed.is_ok(), "{:?}\n{}", parsed.err().map(|error| error.to_string()), output.ptx);
        }
        Err(failure) => assert!(failure.diagnostics.iter().any(|one| one.code != "defect")),
    }
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutator_of(fuzz::CUDA, data, size, max_size, seed)
});
