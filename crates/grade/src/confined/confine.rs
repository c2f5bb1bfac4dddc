//! Confinement of a child process that handles a student's source or file.
//!
//! Enters: limits. Leaves: a thread, and all that it will start, that have them for the rest of its life: no file can be opened
//! or written, no process started, no other process reached, and the system ends the process once it takes more time of the
//! processor or more memory. A kernel cannot reach the host in any case; this is for the compiler, the device and the
//! readers, should a source find a defect of theirs.
//!
//! Linux has the most of it: Landlock takes away files, networks and other processes, where the kernel knows it, and a
//! filter of system calls leaves what computing takes. Both add to limits that other systems have too.

/// Limits of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Seconds of processor time.
    pub(crate) seconds: u64,
    /// Bytes of addresses.
    pub(crate) memory_bytes: u64,
}

/// Confines this thread and those that it starts; the limits, if any are given, are the whole process's. To be called before
/// there are others. On systems that have nothing of this, the clock and the device's own limits are left.
///
/// # Errors
/// A limit that the system refuses.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn confine(limits: Option<Limits>) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::Core, most(0))?;
    setrlimit(Resource::Fsize, most(0))?;
    // It opens a file itself, so it is before there can be none.
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    linux::take_away_files().map_err(std::io::Error::other)?;
    // The three that are open: stdin, stdout, stderr.
    setrlimit(Resource::Nofile, most(3))?;
    if let Some(Limits { seconds, memory_bytes }) = limits {
        // The signal distinguishes the first limit from a kill by others; the second is for a process that ignores it.
        setrlimit(Resource::Cpu, Rlimit { current: Some(seconds), maximum: Some(seconds + 1) })?;
        setrlimit(Resource::As, most(memory_bytes))?;
    }
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    linux::filter_calls()?;
    Ok(())
}

/// As on systems that have limits.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) fn confine(limits: Option<Limits>) -> std::io::Result<()> {
    let _ = limits.map(|limits| (limits.seconds, limits.memory_bytes));
    Ok(())
}

/// What code that took control of a confined process could still do on this system, as `it could …` continues; `None` where
/// [`confine`] takes everything away.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(crate) fn what_is_left() -> Option<&'static str> {
    (!linux::has_filters()).then_some(PROCESSES)
}

/// As on 64-bit Linux, of systems that have limits alone.
#[cfg(any(
    all(target_os = "linux", not(target_pointer_width = "64")),
    target_os = "android",
    target_vendor = "apple"
))]
pub(crate) fn what_is_left() -> Option<&'static str> {
    Some(PROCESSES)
}

/// As on 64-bit Linux, of systems that have nothing.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) fn what_is_left() -> Option<&'static str> {
    Some("read and write all that you can, start programs and open connections")
}

/// What limits leave.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const PROCESSES: &str = "start programs and end other processes of yours";

/// Keeps what this process has open from those that it starts, except the standard streams: the process that started it may have
/// left anything open.
#[cfg(unix)]
pub(crate) fn pass_nothing_on() {
    close_fds::set_fds_cloexec(3, &[]);
}

/// As on Unix, where programs that are started inherit what is open.
#[cfg(not(unix))]
pub(crate) fn pass_nothing_on() {}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux {
    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetError, Scope};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Is,
        SeccompFilter, SeccompRule as Rule, TargetArch,
    };
    use std::collections::BTreeMap;
    use std::io;

    /// Takes away every file, every connection, and signals to others, as far as the kernel has that.
    pub(super) fn take_away_files() -> Result<(), RulesetError> {
        // A kernel that knows less does what it knows.
        const ABI: ABI = ABI::V6;
        Ruleset::default()
            .handle_access(AccessFs::from_all(ABI))?
            .handle_access(AccessNet::from_all(ABI))?
            .scope(Scope::from_all(ABI))?
            .create()?
            .restrict_self()?;
        Ok(())
    }

    /// Whether this kernel was built with filters of system calls, and they can be written for its processor.
    pub(super) fn has_filters() -> bool {
        TargetArch::try_from(std::env::consts::ARCH).is_ok()
            && rustix::thread::secure_computing_mode().is_ok()
    }

    /// Leaves the system calls that computing and an answer take; any other is refused, and the program continues.
    pub(super) fn filter_calls() -> io::Result<()> {
        // For other processors the filter's numbers are not listed here.
        let Ok(arch) = TargetArch::try_from(std::env::consts::ARCH) else { return Ok(()) };
        let refused = |errno: i32| SeccompAction::Errno(errno.unsigned_abs());
        // Its flags are in memory, where a filter cannot look. The C library then starts threads with `clone`.
        let newer = BTreeMap::from([(libc::SYS_clone3, vec![])]);
        apply(SeccompFilter::new(newer, SeccompAction::Allow, refused(libc::ENOSYS), arch))?;
        let calls = allowed().map_err(io::Error::other)?;
        apply(SeccompFilter::new(calls, refused(libc::EPERM), SeccompAction::Allow, arch))
    }

    fn apply(filter: Result<SeccompFilter, seccompiler::BackendError>) -> io::Result<()> {
        let program = BpfProgram::try_from(filter.map_err(io::Error::other)?).map_err(io::Error::other)?;
        match seccompiler::apply_filter(&program) {
            // A kernel that was built without.
            Err(seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error))
                if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) =>
            {
                Ok(())
            }
            applied => applied.map_err(io::Error::other),
        }
    }

    /// Calls with the conditions under which they are let through.
    fn allowed() -> Result<BTreeMap<i64, Vec<Rule>>, seccompiler::BackendError> {
        let is = |argument, of, what, value| Rule::new(vec![Is::new(argument, of, what, value)?]);
        let without =
            |argument, bits: i32| is(argument, Len::Dword, Op::MaskedEq(bits.unsigned_abs().into()), 0);
        let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
        let stream = |call, fd| Ok((call, vec![is(0, Len::Dword, Op::Eq, fd)?]));
        let outputs = |call| Ok((call, vec![is(0, Len::Dword, Op::Eq, 1)?, is(0, Len::Dword, Op::Eq, 2)?]));
        let mut calls = BTreeMap::from([
            // The request, the answer, and the last words.
            stream(libc::SYS_read, 0)?,
            stream(libc::SYS_readv, 0)?,
            outputs(libc::SYS_write)?,
            outputs(libc::SYS_writev)?,
            // Memory that holds no code.
            (libc::SYS_mmap, vec![without(2, libc::PROT_EXEC)?]),
            (libc::SYS_mprotect, vec![without(2, libc::PROT_EXEC)?]),
            // A thread, and no process.
            (libc::SYS_clone, vec![is(0, Len::Qword, Op::MaskedEq(thread), thread)?]),
            // Its name.
            (libc::SYS_prctl, vec![is(0, Len::Dword, Op::Eq, libc::PR_SET_NAME.unsigned_abs().into())?]),
            // A signal to itself, with which programs abort.
            (libc::SYS_tgkill, vec![is(0, Len::Dword, Op::Eq, std::process::id().into())?]),
            // Limits are read and not set.
            (libc::SYS_prlimit64, vec![is(2, Len::Qword, Op::Eq, 0)?]),
        ]);
        calls.extend(ALWAYS.iter().map(|call| (*call, vec![])));
        Ok(calls)
    }

    /// Calls that reach nothing outside the process: memory, threads, time, the end.
    const ALWAYS: [i64; 29] = [
        libc::SYS_brk,
        libc::SYS_clock_getres,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_clone3,
        libc::SYS_close,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_gettimeofday,
        libc::SYS_madvise,
        libc::SYS_membarrier,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_nanosleep,
        libc::SYS_restart_syscall,
        libc::SYS_rseq,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_set_robust_list,
        libc::SYS_set_tid_address,
        libc::SYS_sigaltstack,
        libc::SYS_sysinfo,
    ];
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

#[cfg(test)]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use rustix::process::{Pid, getppid};
    use std::fs;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::fd::AsFd as _;
    use std::os::unix::net::UnixStream;
    use std::process::Command;

    /// Arguments of the process that tries: what confines it, and a port that has a listener.
    const TRIES: &str = "WARPBOOK_TRIES";

    fn attempts(port: u16, parent: Option<Pid>) -> Vec<(&'static str, bool)> {
        use rustix::process::{Resource, Rlimit, setrlimit, test_kill_process};
        let unlimited = Rlimit { current: None, maximum: None };
        vec![
            ("reads a file", fs::read("/etc/passwd").is_ok()),
            ("reads its environment", fs::read("/proc/self/environ").is_ok()),
            ("lists a folder", fs::read_dir("/").is_ok()),
            ("asks for a file", fs::metadata("/etc/passwd").is_ok()),
            ("writes a file", fs::write(std::env::temp_dir().join("warpbook-tries"), "x").is_ok()),
            ("makes a folder", fs::create_dir(std::env::temp_dir().join("warpbook-tries-folder")).is_ok()),
            ("opens a connection", TcpStream::connect(("127.0.0.1", port)).is_ok()),
            ("opens a port", UdpSocket::bind("127.0.0.1:0").is_ok()),
            ("makes a socket", UnixStream::pair().is_ok()),
            ("starts a process", Command::new("/bin/true").spawn().is_ok()),
            ("signals another", parent.is_some_and(|parent| test_kill_process(parent).is_ok())),
            ("takes away a limit", setrlimit(Resource::Fsize, unlimited).is_ok()),
            ("copies a descriptor", std::io::stdin().as_fd().try_clone_to_owned().is_ok()),
        ]
    }

    /// Calls that are left: memory, threads, random numbers, time.
    fn computes() -> bool {
        let one = |n: usize| {
            let there = std::collections::HashSet::from([n]);
            std::thread::sleep(std::time::Duration::from_millis(1));
            vec![there.len(); 1 << 20].len() + usize::from(std::time::Instant::now().elapsed().is_zero())
        };
        let threads = (0..4).map(|n| std::thread::Builder::new().name("n".to_owned()).spawn(move || one(n)));
        threads.into_iter().all(|thread| thread.is_ok_and(|thread| thread.join().is_ok()))
    }

    fn tries(reported: &str) {
        let (by, port) = reported.split_once(' ').unwrap();
        let parent = getppid();
        match by {
            "all" => confine(Some(Limits { seconds: 60, memory_bytes: 1 << 34 })).unwrap(),
            _ => linux::filter_calls().unwrap(),
        }
        let done: Vec<_> =
            attempts(port.parse().unwrap(), parent).into_iter().filter(|(_, done)| *done).collect();
        assert_eq!(done, []);
        assert!(computes());
        // The parent looks for it: a test that was not run succeeds too.
        println!("\nit tried all");
    }

    #[test]
    fn a_confined_process_reaches_no_file_no_network_and_no_other_process_and_computes() {
        if let Ok(reported) = std::env::var(TRIES) {
            return tries(&reported);
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let again = "confined::confine::tests::a_confined_process_reaches_no_file_no_network_and_no_other_process_and_computes";
        // The filter alone keeps it from everything too, should a kernel have no Landlock.
        for by in ["all", "filter"] {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", again, "--nocapture"])
                .env(TRIES, format!("{by} {port}"))
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let failed = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.contains("it tried all"), "{by}: {said}{failed}");
        }
    }

    #[test]
    fn the_grader_has_nothing_to_warn_of_here() {
        assert_eq!(what_is_left(), None);
    }

    #[test]
    fn without_confinement_it_would_have_done_it_all() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let done = attempts(port, getppid());
        fs::remove_file(std::env::temp_dir().join("warpbook-tries")).unwrap();
        fs::remove_dir(std::env::temp_dir().join("warpbook-tries-folder")).unwrap();
        assert!(
            done.iter().filter(|(what, _)| *what != "takes away a limit").all(|(_, done)| *done),
            "{done:?}"
        );
    }
}
