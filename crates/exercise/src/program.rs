//! Exercises whose source is a whole program: what each case starts it with, and what is counted of its run.
//!
//! Enters: the part `program` of an exercise in the manifest. Leaves: arguments and standard input of each case, and the names that
//! conditions may limit. What it must print, and how it must end, is what the solution does with the same arguments, so that the
//! manifest has none of it. This module must never know how anything is run.

use crate::expression::Expression;
use serde::{Deserialize, Serialize};

/// What a program is started with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its arguments, after its own name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Expression>,
    /// Numbers on its standard input, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<Expression>,
    /// How much a number that it prints may differ from the solution's, as a share of that; otherwise, lines must be equal.
    #[serde(default)]
    pub within: f64,
}

/// What may be found in a program beyond conditions and kernels' faults: it did something wrong, and what in particular; it ended with
/// another exit code than the solution; it printed something else.
pub const FOUND: [&str; 10] = [
    "mistake",
    "leak",
    "limit",
    "lost-output",
    "launch-failed",
    "launch-unseen",
    "signal",
    "unordered",
    "exit",
    "output",
];

/// Kinds of copies, as profiles name them, with what counts the copies and their bytes.
pub const COPIES: [(&str, &str, &str); 3] = [
    ("[CUDA memcpy HtoD]", "copies_to_device", "bytes_to_device"),
    ("[CUDA memcpy DtoH]", "copies_to_host", "bytes_to_host"),
    ("[CUDA memcpy DtoD]", "copies_on_device", "bytes_on_device"),
];

/// Launches of kernels.
pub const LAUNCHES: &str = "launches";

/// Blocks of all of them.
pub const BLOCKS: &str = "launched_blocks";
/// Threads of all of their blocks.
pub const THREADS: &str = "launched_threads";

/// Streams that have copied or run a kernel.
pub const STREAMS: &str = "streams";

/// Nanoseconds, as modelled, in which the device did something.
pub const DEVICE_NS: &str = "device_ns";

/// Nanoseconds, as modelled, in which it did several things at once.
pub const OVERLAP_NS: &str = "overlap_ns";

/// Operations of the host's side.
pub const HOST_OPERATIONS: &str = "host_operations";

/// Words that a program prints alike where its kernels do nothing, of those that the solution then prints otherwise: they were
/// computed on the host, or written into the source.
pub const HOST_WORDS: &str = "host_words";

/// Quantities of a program's run, with their titles. Others are counters of all launches, and the functions of the API by their names,
/// which count their calls.
const QUANTITIES: [(&str, &str); 14] = [
    ("copies_to_device", "copies to the device"),
    ("bytes_to_device", "bytes copied to the device"),
    ("copies_to_host", "copies to the host"),
    ("bytes_to_host", "bytes copied to the host"),
    ("copies_on_device", "copies within the device"),
    ("bytes_on_device", "bytes copied within the device"),
    (LAUNCHES, "kernel launches"),
    (BLOCKS, "blocks of all launches"),
    (THREADS, "threads of all launches"),
    (STREAMS, "streams that were used"),
    (DEVICE_NS, "ns in which the device worked"),
    (OVERLAP_NS, "ns in which streams overlapped"),
    (HOST_OPERATIONS, "operations of the host"),
    (HOST_WORDS, "printed words that are the same where kernels do nothing"),
];

/// Title of a quantity of a program's run, for messages.
pub(crate) fn title(count: &str) -> Option<&'static str> {
    QUANTITIES.iter().find(|(name, _)| *name == count).map(|(_, title)| *title)
}

/// Names of quantities that conditions on a program may limit, in addition to the calls of functions.
pub(crate) fn counts() -> impl Iterator<Item = &'static str> {
    let counters = counters::ALL.iter().filter(|counter| counter.embedded).map(|counter| counter.name);
    counters.chain(counters::COSTS.iter().map(|cost| cost.name)).chain(QUANTITIES.map(|(name, _)| name))
}

/// Whether a quantity is the calls of a function of the API.
pub(crate) fn is_function(name: &str) -> bool {
    name.strip_prefix("cuda").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}
