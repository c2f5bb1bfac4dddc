//! Command line shared by the labs and `launch`: choice of the device and of its checks, of the compiler, limits of a launch, exit codes.
//!
//! Enters: arguments, errors. Leaves: flags that clap fills, limits on a device, checks, exit codes. This crate must never know
//! what is launched.

mod checks;
pub mod exit;
mod limits;

pub use checks::{Check, CheckArgs};
pub use limits::{LaunchLimits, advice};

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kernels::Compiler;

/// The chip that the embedded device models where no other is asked for.
pub const CHIP: &str = device::GRADED_CHIP;

/// Choice of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// The GPU if there is one, else the embedded device
    #[default]
    Auto,
    /// The embedded device: exact counters, modelled times
    Simt,
    /// The first NVIDIA GPU: measured times
    Gpu,
}

/// Values of `--compiler`.
pub fn compilers() -> impl TypedValueParser<Value = Compiler> {
    let about = |compiler| match compiler {
        Compiler::Own => "The workbook's own: no toolkit needed",
        Compiler::Nvrtc => "NVIDIA's as a library, of Python's package or a toolkit",
        Compiler::Nvcc => "NVIDIA's as a program, of a toolkit",
        Compiler::Clang => "clang, with a toolkit's headers",
    };
    PossibleValuesParser::new(Compiler::ALL.map(|one| PossibleValue::new(one.word()).help(about(one))))
        .try_map(|word| word.parse::<Compiler>())
}

/// `16777216`, `16_777_216` or `2^24`.
///
/// # Errors
/// Any other text, in words for the command line.
pub fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let value = match plain.split_once('^') {
        Some((base, power)) => {
            base.parse::<u64>().ok().zip(power.parse().ok()).and_then(|(b, p): (u64, u32)| b.checked_pow(p))
        }
        None => plain.parse().ok(),
    };
    value.ok_or_else(|| "a whole number is needed, such as 1000000 or 2^24".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_may_be_a_power() {
        assert_eq!(count("2^24"), Ok(1 << 24));
        assert_eq!(count("16_777_216"), Ok(1 << 24));
        assert!(
            count("2^64").is_err() && count("-1").is_err() && count("many").is_err() && count("^").is_err()
        );
    }
}
