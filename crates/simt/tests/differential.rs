//! Random programs give the same on the device as one thread at a time.
//!
//! `PROPTEST_CASES=10000 cargo test -p simt --test all differential::` looks at more of them.

use crate::scalar;
use proptest::prelude::*;

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200)
}

proptest! {
    // The program is cut down line by line where one fails; bytes need not be.
    #![proptest_config(ProptestConfig {
        cases: cases(),
        max_shrink_iters: 0,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_programs_give_the_same_one_thread_at_a_time(bytes in prop::collection::vec(any::<u8>(), 0..1000)) {
        if let Err(message) = scalar::compare(&bytes) {
            prop_assert!(false, "{message}");
        }
    }
}
