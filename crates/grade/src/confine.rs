//! Confinement of a child process that handles a student's source.
//!
//! Enters: limits. Leaves: a process that has them, for the rest of its life: no file can be opened or written, and the
//! system ends it once it takes more time of the processor or more memory. A kernel cannot reach the host in any case; this
//! is for the compiler and the device, should a source find a defect of theirs.

/// Limits of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Seconds of processor time.
    pub(crate) seconds: u64,
    /// Bytes of addresses.
    pub(crate) memory_bytes: u64,
}

/// Confines this process. On systems that have no such limits, the clock and the device's own limits are left.
///
/// # Errors
/// A limit that the system refuses.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn confine(limits: Limits) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::Core, most(0))?;
    setrlimit(Resource::Fsize, most(0))?;
    // The three that are open: stdin, stdout, stderr.
    setrlimit(Resource::Nofile, most(3))?;
    // The first limit is told from a kill by others by its signal; the second is for a process that ignores it.
    let seconds = Rlimit { current: Some(limits.seconds), maximum: Some(limits.seconds + 1) };
    setrlimit(Resource::Cpu, seconds)?;
    setrlimit(Resource::As, most(limits.memory_bytes))?;
    Ok(())
}

/// As on systems that have limits.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) fn confine(limits: Limits) -> std::io::Result<()> {
    let Limits { seconds: _, memory_bytes: _ } = limits;
    Ok(())
}

/// Whether the system ended a process for its processor time.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn ran_out_of_time(status: std::process::ExitStatus) -> bool {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(Signal::XCPU.as_raw())
}

/// As on systems that have limits.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) fn ran_out_of_time(_: std::process::ExitStatus) -> bool {
    false
}
