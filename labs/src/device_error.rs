//! Errors as answers in a record: their words, and on a GPU their speaker.
//!
//! Much that a GPU's driver would answer, or would not notice, the crate `device` refuses before the driver is asked. A
//! record that shows such a refusal as the GPU's answer would claim what was not tried.

use crate::plan::Probe;
use device::{Error, Kind, SimtError};

/// Whether answers may be a driver's.
pub(crate) fn has_driver(probe: &Probe<'_>) -> bool {
    matches!(probe.device.description().kind, Kind::Gpu { .. })
}

/// An error's words on one line. With a driver, they begin with the speaker.
pub(crate) fn words(error: &Error, has_driver: bool) -> String {
    let said = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    if has_driver { format!("{}: {said}", speaker(error)) } else { said }
}

/// The speaker of an error of a GPU.
fn speaker(error: &Error) -> &'static str {
    match error {
        Error::Driver { .. } | Error::GpuFault { .. } | Error::Simt(SimtError::BadPtx { .. }) => "the driver",
        Error::Simt(SimtError::MissingSymbol { .. }) => {
            "the driver, with CUDA_ERROR_NOT_FOUND, in words of the crate `device`"
        }
        Error::Simt(SimtError::OutOfMemory { .. }) => {
            "the driver, with CUDA_ERROR_OUT_OF_MEMORY or, for a size beyond anything, CUDA_ERROR_INVALID_VALUE, in words of the crate `device`"
        }
        // Any other answer of a GPU was found before its driver was asked.
        _ => "the crate `device`, before the driver is asked",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_s_answer_is_distinguished_from_the_crate_s() {
        let driver = Error::Driver { call: "c".to_owned(), message: "m".to_owned() };
        let missing =
            SimtError::MissingSymbol { symbol: "s".into(), module: "m".into(), there: vec![] }.into();
        let own = Error::BadShape { message: "a copy\n of nothing".to_owned() };
        let begins = |error: &Error| words(error, true).split(':').next().map(str::to_owned);
        assert_eq!(begins(&driver).as_deref(), Some("the driver"));
        let not_found = "the driver, with CUDA_ERROR_NOT_FOUND, in words of the crate `device`";
        assert_eq!(begins(&missing).as_deref(), Some(not_found));
        assert_eq!(words(&own, true), "the crate `device`, before the driver is asked: a copy of nothing");
        assert_eq!(words(&own, false), "a copy of nothing");
    }
}
