//! The work of a point or a trial: a launch, several in a row with copies between them, or a call of the host.

use super::buffers::BufferId;
use anyhow::{Context as _, Result};
use device::{Direction, HostMemory, Transfer};
use render::format;

/// Bytes that are copied in about the time in which a thread runs.
const COPIED_LIKE_A_THREAD: f64 = 1024.0;

/// Work that is run, timed and counted as one.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// One launch.
    Launch(Launch),
    /// One after the other on one stream, without the host between them.
    Steps(Vec<Step>),
    /// A copy between host and device; the host's clock times it.
    Transfer(Transfer),
    /// A copy between the host and the first bytes of a variable; the host's clock times it.
    SymbolTransfer {
        /// The copy.
        transfer: Transfer,
        /// Source of the plan that declares the variable.
        source: SourceId,
        /// Name of the variable.
        name: &'static str,
        /// Event that ends the time.
        until: Until,
    },
    /// An allocation; the host's clock times it. Only a GPU has one that costs time.
    Allocate {
        /// Size of the allocation.
        bytes: u64,
    },
    /// The deallocation of this much memory; as [`Workload::Allocate`].
    Free {
        /// Size of the allocation.
        bytes: u64,
    },
    /// A pitched allocation, made and freed: the device says its pitch.
    Pitch {
        /// Bytes of a row.
        width: u64,
        /// Rows, all slices together.
        rows: u64,
    },
    /// Nothing that runs: the device says how many blocks of this launch a multiprocessor holds. Only a GPU knows.
    Resident(Launch),
}

/// End of the time of a copy between host and device, which begins with its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The call returns. Only a GPU's driver has such a time.
    Returned,
    /// The last byte is there.
    Arrived,
}

/// A kernel file. It is its own id: launches and symbols name it, and the plan lists it.
pub type SourceId = &'static kernels::Source;
/// A kernel argument, with the plan's (or the trace's) own buffers.
pub type Arg = device::Arg<BufferId>;
/// A launch of a kernel in one of the plan's sources.
pub type Launch = device::Launch<SourceId, BufferId>;
/// A launch, or a copy on the device.
pub type Step = device::Step<SourceId, BufferId>;

/// Object loaded for a source, among those of all sources of the plan.
///
/// # Errors
/// The plan does not list it.
pub(crate) fn loaded<T: Copy>(all: &[(SourceId, T)], source: SourceId) -> Result<T> {
    let found = all.iter().find(|(listed, _)| listed.file == source.file);
    found.map(|(_, made)| *made).with_context(|| format!("the plan does not list kernels/{}", source.file))
}

impl Workload {
    /// Launches of the work, in order.
    pub fn launches(&self) -> impl Iterator<Item = &Launch> {
        let steps: &[Step] = if let Workload::Steps(steps) = self { steps } else { &[] };
        let one = if let Workload::Launch(launch) = self { Some(launch) } else { None };
        one.into_iter().chain(steps.iter().filter_map(|step| match step {
            Step::Launch(launch) => Some(launch),
            _ => None,
        }))
    }

    /// Amount of work for a device, by the threads that run and the bytes that are copied: longer steps have more of it.
    pub(crate) fn size(&self) -> f64 {
        let threads = |launch: &Launch| {
            let all = launch.grid.iter().chain(&launch.block);
            all.map(|n| f64::from(*n)).product::<f64>()
        };
        let copied = match self {
            Workload::Transfer(transfer) | Workload::SymbolTransfer { transfer, .. } => transfer.bytes,
            Workload::Allocate { bytes } | Workload::Free { bytes } => *bytes,
            Workload::Launch(_) | Workload::Steps(_) | Workload::Pitch { .. } | Workload::Resident(_) => 0,
        };
        self.launches().map(threads).sum::<f64>() + copied as f64 / COPIED_LIKE_A_THREAD
    }

    /// The host operation with or instead of one launch, in words.
    pub fn operation(&self) -> Option<String> {
        let size = |bytes: u64| format::quantity(bytes as f64, "B");
        match self {
            Workload::Launch(_) => None,
            Workload::Steps(steps) => {
                let launches = self.launches().count();
                let counted = |n: usize, one: &str, many: &str| match n {
                    0 => None,
                    1 => Some(format!("1 {one}")),
                    n => Some(format!("{} {many}", format::count(n as u64))),
                };
                let copies = counted(steps.len() - launches, "copy on the device", "copies on the device");
                let launches = counted(launches, "launch", "launches");
                Some(launches.into_iter().chain(copies).collect::<Vec<_>>().join(", "))
            }
            Workload::Transfer(transfer) => {
                let to = match transfer.direction {
                    Direction::ToDevice => "to the device",
                    Direction::ToHost => "to the host",
                };
                Some(copied(transfer, to))
            }
            Workload::SymbolTransfer { transfer, name, until, .. } => {
                let to = match transfer.direction {
                    Direction::ToDevice => format!("to the symbol {name}"),
                    Direction::ToHost => format!("from the symbol {name}"),
                };
                let until = match until {
                    Until::Returned => "until the call returns",
                    Until::Arrived => "until the bytes are there",
                };
                Some(format!("{}, {until}", copied(transfer, &to)))
            }
            Workload::Allocate { bytes } => Some(format!("allocation of {}", size(*bytes))),
            Workload::Free { bytes } => Some(format!("deallocation of {}", size(*bytes))),
            Workload::Pitch { width, rows } => {
                Some(format!("pitched allocation of {} rows of {}", format::count(*rows), size(*width)))
            }
            Workload::Resident(launch) => {
                let threads = launch.block.map(u64::from).into_iter().product();
                Some(format!(
                    "blocks of {} threads of {} on a multiprocessor",
                    format::count(threads),
                    launch.kernel
                ))
            }
        }
    }
}

fn copied(transfer: &Transfer, to: &str) -> String {
    let memory = match transfer.memory {
        HostMemory::Pageable => "pageable",
        HostMemory::Pinned => "pinned",
    };
    format!("copy of {} {to}, {memory} memory", format::quantity(transfer.bytes as f64, "B"))
}

/// A launch's shape, as a record holds it.
pub fn recorded(launch: &Launch) -> record::Launch {
    record::Launch {
        kernel: launch.kernel.clone(),
        grid: launch.grid,
        block: launch.block,
        shared_bytes: launch.shared_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffers::Buffers;
    use super::*;

    fn launch() -> Launch {
        Launch::new(&kernels::EMPTY, "k", [1; 3], [1; 3], vec![])
    }

    #[test]
    fn a_launch_alone_needs_no_words() {
        assert_eq!(Workload::Launch(launch()).operation(), None);
    }

    #[test]
    fn what_the_host_asks_for_is_said() {
        let mut buffers = Buffers::default();
        let [to, from] = ["to", "from"].map(|name| buffers.linear(name, 4));
        let copy = Step::Copy { to, to_offset: 0, from, from_offset: 0, bytes: 4 };
        let steps = vec![copy.clone(), Step::Launch(launch()), copy, Step::Launch(launch())];
        let work = Workload::Steps(steps);
        assert_eq!(work.operation().as_deref(), Some("2 launches, 2 copies on the device"));
        assert_eq!(work.launches().count(), 2);
        let transfer = Transfer { direction: Direction::ToHost, memory: HostMemory::Pinned, bytes: 1 << 20 };
        let said = Workload::Transfer(transfer).operation().map(|s| s.replace('\u{a0}', " "));
        assert_eq!(said.as_deref(), Some("copy of 1 MiB to the host, pinned memory"));
        let transfer = Transfer { direction: Direction::ToDevice, ..transfer };
        let to = Workload::SymbolTransfer {
            transfer,
            source: &kernels::EMPTY,
            name: "table",
            until: Until::Returned,
        };
        let said = to.operation().map(|s| s.replace('\u{a0}', " "));
        assert_eq!(
            said.as_deref(),
            Some("copy of 1 MiB to the symbol table, pinned memory, until the call returns")
        );
    }
}
