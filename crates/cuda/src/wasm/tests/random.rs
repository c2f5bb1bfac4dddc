//! Random functions compute in WebAssembly what C++ says, as they are lowered and after passes.

use super::program::{End, Program};
use crate::lower::random::case;

/// Runs some; how many have a value.
fn agree(seeds: std::ops::Range<u64>) -> u64 {
    let mut valued = 0;
    for seed in seeds {
        let (mut module, args, Some(expected)) = case(seed) else { continue };
        module.functions.iter_mut().for_each(|function| function.visible = true);
        valued += 1;
        let name = module.functions[0].name.clone();
        let lowered = Program::new(&module, &[]).call(&name, &args);
        assert_eq!(lowered, End::Returned(vec![expected]), "seed {seed}, as lowered:\n{module}");
        crate::passes::optimize(&mut module);
        let optimized = Program::new(&module, &[]).call(&name, &args);
        assert_eq!(optimized, End::Returned(vec![expected]), "seed {seed}, optimised:\n{module}");
    }
    valued
}

#[test]
fn random_functions_compute_what_constant_expressions_do() {
    let valued = agree(0..100);
    assert!(valued > 33, "{valued} have a value");
}

mod nightly {
    #[test]
    #[ignore = "nightly: minutes"]
    fn many_random_functions_compute_what_constant_expressions_do() {
        let valued = super::agree(100..20_000);
        assert!(valued > 6000, "{valued} have a value");
    }
}
