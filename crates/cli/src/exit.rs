//! Exit codes: 0 success; 1 something did not match; 2 unusable input; 3 the kernel faulted.

use crate::limits;
use program::UNUSABLE;
use record::text::visible_lines;
use std::process::ExitCode;

/// The run finished, and something did not match.
pub const MISMATCH: u8 = 1;

/// Prints the error with its causes and says how to exit.
pub fn fail(program: &str, error: &anyhow::Error) -> ExitCode {
    let mut text = format!("{program}: {}\n", visible_lines(&format!("{error:#}")));
    if let Some(advice) = of_device(error).and_then(limits::advice) {
        text += &format!("  {advice}\n");
    }
    program::tell(&text);
    ExitCode::from(code(error))
}

/// Ends the process, where a thread of it waits for a kernel that no one can stop.
pub fn give_up(program: &str, error: device::Error) -> ! {
    let error = anyhow::Error::from(error);
    fail(program, &error);
    std::process::exit(code(&error).into())
}

fn of_device(error: &anyhow::Error) -> Option<&device::Error> {
    error.chain().find_map(|cause| cause.downcast_ref::<device::Error>())
}

/// A device knows whether its error is the kernel's; everything else is the input's.
fn code(error: &anyhow::Error) -> u8 {
    of_device(error).map_or(UNUSABLE, device::Error::exit_code)
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
