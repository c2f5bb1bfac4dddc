//! From an error to the exit code that the design fixes: 0 as asked; 1 something did not match; 2 unusable input; 3 the
//! kernel faulted.

use std::io::Write as _;
use std::process::ExitCode;

pub(crate) const MISMATCH: u8 = 1;
const UNUSABLE: u8 = 2;

/// Prints the error with its causes and says how to exit.
pub(crate) fn fail(program: &str, error: &anyhow::Error) -> ExitCode {
    // Were stderr closed, the exit code would still say it.
    let _ = writeln!(std::io::stderr(), "{program}: {error:#}");
    ExitCode::from(code(error))
}

/// A device knows whether its error is the kernel's; everything else is the input's.
fn code(error: &anyhow::Error) -> u8 {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<device::Error>())
        .map_or(UNUSABLE, device::Error::exit_code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn an_error_that_no_device_made_is_unusable_input() {
        assert_eq!(code(&anyhow!("no such file")), 2);
    }

    #[test]
    fn a_device_s_error_is_found_below_its_context() {
        let error = anyhow::Error::from(device::Error::NoGpu { reason: "no driver".into() })
            .context("while starting");
        assert_eq!(code(&error), 2);
    }
}
