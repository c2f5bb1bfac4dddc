//! The end of a program that an error ended: what is printed, and the exit code.

use crate::limits;
use program::Exit;
use record::text::visible_lines;
use std::process::ExitCode;

/// Prints the error with its causes and returns how to exit.
pub fn fail(program: &str, error: &anyhow::Error) -> ExitCode {
    let mut text = format!("{program}: {}\n", visible_lines(&format!("{error:#}")));
    if let Some(advice) = of_device(error).and_then(limits::advice) {
        text += &format!("  {advice}\n");
    }
    program::tell(&text);
    exit(error).into()
}

/// Ends the process, where one of its threads waits for a kernel that cannot be stopped.
pub fn give_up(program: &str, error: device::Error) -> ! {
    let error = anyhow::Error::from(error);
    fail(program, &error);
    exit(&error).now()
}

fn of_device(error: &anyhow::Error) -> Option<&device::Error> {
    error.chain().find_map(|cause| cause.downcast_ref::<device::Error>())
}

/// How a program ends by an error, which may be a device's: that knows whether it is the kernel's; everything else is the input's.
pub fn of(error: Option<&device::Error>) -> Exit {
    if error.is_some_and(device::Error::is_fault) { Exit::Faulted } else { Exit::Unusable }
}

fn exit(error: &anyhow::Error) -> Exit {
    of(of_device(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn an_error_that_no_device_made_is_unusable_input() {
        assert_eq!(exit(&anyhow!("no such file")), Exit::Unusable);
    }

    #[test]
    fn a_device_s_error_is_found_below_its_context() {
        let error = anyhow::Error::from(device::Error::NoGpu { reason: "no driver".into() })
            .context("while starting");
        assert_eq!(exit(&error), Exit::Unusable);
    }
}
