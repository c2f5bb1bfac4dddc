//! Job files: any text gives a job, or an error.
#![no_main]

use job::{Expected, Job};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for expected in [Expected::Compare, Expected::Record] {
        if let Err(error) = Job::parse("fuzz/seeds/job/job.toml".as_ref(), &text, expected) {
            assert!(error.to_string().contains("job.toml"), "{error}");
        }
    }
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutator(data, size, max_size, seed)
});
