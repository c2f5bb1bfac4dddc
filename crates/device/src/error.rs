//! Errors of either device, worded so that the user knows what to do.

/// The result of everything a device does.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of either device.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no GPU to use.
    #[error(
        "no NVIDIA GPU can be used: {reason}\n  without one, run with `--device simt` (the embedded device) or leave `--device` out"
    )]
    NoGpu {
        /// Message of the driver, or of the search for one.
        reason: String,
    },
    /// The driver refused a call.
    #[error("{call}: {message}")]
    Driver {
        /// The call with its sizes, such as `cuMemAlloc of 1024 bytes`.
        call: String,
        /// The driver's name of the error and its text.
        message: String,
    },
    /// A kernel faulted on a GPU, which says less about it than the embedded device does.
    #[error(
        "kernel {kernel}: {message}\n  run it with `--device simt` to learn the thread, the line and the address"
    )]
    GpuFault {
        /// The kernel and the launch's dimensions.
        kernel: String,
        /// The driver's name of the error and its text.
        message: String,
    },
    /// A kernel has run for too long on a GPU, which cannot be made to stop it.
    #[error(
        "time-limit: kernel {kernel} has not ended within the time limit, {seconds} s\n  a GPU does not say where it is: \
         run it with `--device simt` to learn the thread and the line"
    )]
    TimeLimit {
        /// The kernel and the launch's dimensions.
        kernel: String,
        /// The limit, seconds.
        seconds: f64,
    },
    /// Memory, a copy or a transfer with impossible dimensions.
    #[error("{message}")]
    BadShape {
        /// The dimensions that are impossible, with the bounds that they break.
        message: String,
    },
    /// Errors that both devices word alike (bad PTX, names that do not exist, launches and copies that do not
    /// fit, foreign handles, too little memory), and the embedded device's faults.
    #[error(transparent)]
    Simt(#[from] simt::Error),
}

impl Error {
    /// Message of [`crate::Device::provoke`] where a mistake is not detected.
    pub(crate) fn nothing_said() -> String {
        "no error".to_owned()
    }

    /// Whether it is a fault of the kernel, or a kernel that did not end; anything else is unusable input.
    pub fn is_fault(&self) -> bool {
        match self {
            Error::GpuFault { .. } | Error::TimeLimit { .. } => true,
            Error::Simt(error) => error.is_fault(),
            _ => false,
        }
    }

    /// The same error; the fault that it may be in other words.
    pub fn in_words(self, of: impl FnOnce(simt::Fault) -> simt::Fault) -> Self {
        match self {
            Error::Simt(simt::Error::Fault(fault)) => Error::Simt(simt::Error::Fault(Box::new(of(*fault)))),
            other => other,
        }
    }
}
