//! Any arguments get an answer.

use super::host::Host;
use super::vector_sum::SUM;
use crate::api::{names, words};
use proptest::prelude::*;

/// Arguments that programs have, and ones that they do not.
fn argument() -> impl Strategy<Value = (u8, u64)> {
    (0..12u8, any::<u64>())
}

/// An argument of a kind: an address of each memory, a small number, anything.
fn value(kind: u8, any: u64, known: &[u64]) -> u64 {
    match kind {
        0..6 => known[any as usize % known.len()].wrapping_add(any >> 61 << 2),
        6..9 => any % 9,
        9 => any % 4096,
        10 => u64::MAX - any % 3,
        _ => any,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_arguments_of_any_function_make_it_panic(
        calls in prop::collection::vec((any::<u32>(), prop::array::uniform9(argument())), 40),
    ) {
        let mut host = Host::new(SUM, &["sum"], &[]);
        let names: Vec<&str> = names().collect();
        let zeros = host.variable(&[0; 256]);
        let mut known = vec![1, host.malloc(256), zeros, 0x8000];
        known.push(host.made("cudaMalloc", &[256]));
        known.push(host.made("cudaMallocManaged", &[256, 1]));
        known.push(host.made("cudaMallocHost", &[256]));
        known.push(host.made("cudaStreamCreate", &[]));
        known.push(host.made("cudaEventCreate", &[]));
        known.push(host.dim3([1, 1, 1]));
        known.push(host.words(&[16, 2, 2]));
        let bytes: Vec<u8> = [32, 0, 0, 0, 2u32].iter().flat_map(|n| n.to_le_bytes()).collect();
        known.push(host.variable(&bytes));
        let floats = known[known.len() - 1];
        known.push(host.made("cudaMallocArray", &[floats, 4, 4, 0]));
        for (name, arguments) in calls {
            let name = names[name as usize % names.len()];
            let arguments = arguments.map(|(kind, any)| value(kind, any, &known));
            let _ = host.try_call(name, &arguments);
            // After a fault, all else would be refused.
            host.api.errors.sticky = None;
        }
        host.api.end();
        host.api.leaks();
        for finding in host.api.findings() {
            prop_assert!(!words::sentence(finding).is_empty());
            words::notes(finding);
        }
    }
}
