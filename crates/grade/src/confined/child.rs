//! Child processes: this program again, with one request on stdin and one answer on stdout.
//!
//! Enters: a request, and limits. Leaves: the child's answer, or why there is none. A child is killed once its time is up, its
//! answer is too long, or grading is interrupted; and it ends by itself once its parent has. This module must never know
//! the question.

use crate::text;
use program::{Again, Exit};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::io::{BufRead as _, BufWriter, Read, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdin, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Bytes of a child's messages that are kept.
const MOST_MESSAGES: u64 = 4096;

/// Settings that all children share.
pub(crate) struct Runner<'a> {
    /// This program, which is its own child.
    pub(crate) program: &'a Again,
    /// Timeout of one re-run, a safety net.
    pub(crate) limit: Duration,
    /// Threads of one re-run.
    pub(crate) threads: usize,
    /// Set once all children are to end.
    pub(crate) interrupted: &'a AtomicBool,
}

/// Output of a child.
pub(crate) struct Done {
    /// Its standard output.
    pub(crate) answer: Vec<u8>,
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// The beginning of its standard error.
    pub(crate) messages: String,
}

/// The reason why a child was ended before it answered.
pub(crate) enum Ended {
    /// It did not end within this time.
    Time(Duration),
    Interrupted,
    /// It could not be started, or not be understood. Escaped text.
    Failed(String),
}

/// A child process that is killed when dropped.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        // Both fail if the process has ended and was waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Interval at which an interrupt is checked for.
const LOOK: Duration = Duration::from_millis(100);

impl Runner<'_> {
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Starts this program with one argument, gives it a request of one line with `bytes` of any kind, and waits for its
    /// answer.
    ///
    /// # Errors
    /// A child that was ended, or could not be started.
    pub(crate) fn ask(
        &self,
        argument: &str,
        request: &str,
        bytes: &[u8],
        limit: Duration,
        most: u64,
    ) -> Result<Done, Ended> {
        let io = |error: std::io::Error| Ended::Failed(text::code(&error.to_string()));
        let end = Instant::now() + limit;
        let child = self
            .program
            .command()
            .arg(argument)
            .env_clear()
            .envs(needed())
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .env(ARENAS, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(io)?;
        let mut child = Ending(child);
        let pipes = (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(Ended::Failed("it has no pipes".to_owned()));
        };
        let (send, received) = channel();
        std::thread::spawn(move || {
            let mut answer = Vec::new();
            let read = stdout.take(most + 1).read_to_end(&mut answer).map(|_| answer);
            // The receiver is gone if the time is up.
            let _ = send.send(read);
        });
        let (tell, reported) = channel();
        std::thread::spawn(move || {
            let _ = tell.send(first_words(stderr));
        });
        let length = bytes.len();
        let _held = give(stdin, [format!("{length}\n{request}\n").as_bytes(), bytes].concat());
        let answer = loop {
            let left = end.saturating_duration_since(Instant::now());
            match received.recv_timeout(left.min(LOOK)) {
                Ok(answer) => break answer.map_err(io)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Ended::Failed("its output could not be read".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if self.is_interrupted() => {
                    return Err(Ended::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Ended::Time(limit)),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        if answer.len() as u64 > most {
            return Err(Ended::Failed(format!("its answer has more than {most} bytes")));
        }
        let status = child.0.wait().map_err(io)?;
        Ok(Done { answer, status, messages: reported.recv().unwrap_or_default() })
    }
}

/// Variable that says how many arenas glibc's allocator may have. It reserves 64 MiB of addresses for each, which would count as
/// memory that a source takes: by another libc, the same source would have passed.
const ARENAS: &str = "MALLOC_ARENA_MAX";

/// Variables of the environment that a child gets, of which there may be any: those that Windows' own libraries ask for.
fn needed() -> impl Iterator<Item = (&'static str, OsString)> {
    const NEEDED: [&str; 1] = ["SystemRoot"];
    NEEDED.into_iter().filter(|_| cfg!(windows)).filter_map(|name| Some((name, std::env::var_os(name)?)))
}

/// Writes a request without waiting for its reader, and holds the pipe open until the returned guard is dropped: a child whose
/// parent has died reads its end, and ends too.
fn give(mut stdin: ChildStdin, request: Vec<u8>) -> Sender<()> {
    let (hold, held) = channel();
    std::thread::spawn(move || {
        // A child that ended at once does not read its request; its answer, or the lack of one, shows that.
        let _ = stdin.write_all(&request).and_then(|()| stdin.flush());
        drop(request);
        let _ = held.recv();
    });
    hold
}

/// The beginning of the stream; the rest is read too, so that the writer need not wait.
fn first_words(mut from: impl Read) -> String {
    let mut words = Vec::new();
    let _ = from.by_ref().take(MOST_MESSAGES).read_to_end(&mut words);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    String::from_utf8_lossy(&words).into_owned()
}

/// Message of Rust when there is no memory left.
const NO_MEMORY: &str = "memory allocation of";
/// Message of Rust when a thread's stack overflows.
const NO_STACK: &str = "has overflowed its stack";

/// Whether a child ended because it could not get more memory.
pub(crate) fn ran_out_of_memory(done: &Done) -> bool {
    done.messages.contains(NO_MEMORY)
}

/// Whether a child ended because its calls nested too deep.
pub(crate) fn ran_out_of_stack(done: &Done) -> bool {
    done.messages.contains(NO_STACK)
}

/// A request's line, and the bytes that come with it.
fn request() -> std::io::Result<(String, Vec<u8>)> {
    let mut stdin = std::io::stdin().lock();
    let (mut length, mut request, mut bytes) = (String::new(), String::new(), Vec::new());
    stdin.read_line(&mut length)?;
    stdin.read_line(&mut request)?;
    let length: u64 = length.trim_end().parse().map_err(std::io::Error::other)?;
    stdin.take(length).read_to_end(&mut bytes)?;
    Ok((request, bytes))
}

/// The child's side: reads a request, confines itself with `confined`, and writes what `answer` makes of the request and of the
/// bytes that come with it, or what `refused` makes of the reason why there is none.
pub(crate) fn answer<Request: DeserializeOwned, Answer: Serialize>(
    confined: impl FnOnce(&Request) -> std::io::Result<()>,
    answer: impl FnOnce(Request, &[u8]) -> Answer,
    refused: impl Fn(String) -> Answer,
) -> ExitCode {
    let Ok((request, bytes)) = request() else { return Exit::Unusable.into() };
    let request: Result<Request, String> = serde_json::from_str(&request)
        .map_err(|error| format!("this is not a request: {error}"))
        .and_then(|request| match confined(&request) {
            Ok(()) => Ok(request),
            Err(error) => Err(format!("this process cannot be confined: {error}")),
        });
    // Threads are as confined as the one that starts them.
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        // The parent has ended, or has given up waiting.
        Exit::Unusable.now();
    });
    let said = match request {
        Err(why) => refused(why),
        // The parent shows a panic's words too.
        Ok(request) => catch_unwind(AssertUnwindSafe(|| answer(request, &bytes))).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
            refused(format!("it stopped: {words}"))
        }),
    };
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    match serde_json::to_writer(&mut stdout, &said).map_err(Into::into).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => Exit::Unusable.into(),
    }
}
