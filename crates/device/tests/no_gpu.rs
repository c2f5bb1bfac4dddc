//! A GPU, or why there is none.

use device::{Device, Error, Gpu, Kind};

#[test]
fn there_is_a_gpu_or_the_error_says_why_and_what_to_do() {
    match Gpu::new(0) {
        Ok(gpu) => assert!(matches!(gpu.description().kind, Kind::Gpu { .. })),
        Err(error) => {
            eprintln!("{error}");
            assert!(matches!(error, Error::NoGpu { .. }), "{error:?}");
            assert!(error.to_string().contains("--device simt"), "{error}");
            assert!(error.to_string().contains("driver"), "{error}");
            assert!(!error.is_fault());
        }
    }
}
