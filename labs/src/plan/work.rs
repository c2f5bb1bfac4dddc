//! The work of a point or a trial: a launch, several in a row with copies between them, or a call of the host.

use device::{Direction, HostMemory, Transfer};
use render::format;

/// Work that is run, timed and counted as one.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// One launch.
    Launch(Launch),
    /// One after the other on one stream, without the host between them.
    Steps(Vec<Step>),
    /// A copy between host and device; the host's clock times it.
    Transfer(Transfer),
    /// An allocation; the host's clock times it. Only a GPU has one that costs time.
    Allocate {
        /// Size of the allocation.
        bytes: u64,
    },
    /// The deallocation of so much memory; as [`Work::Allocate`].
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
}

/// One of several in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A launch.
    Launch(Launch),
    /// Bytes of one buffer to another.
    Copy {
        /// Position in the plan's buffers, and bytes past its start.
        to: (usize, u64),
        /// Position in the plan's buffers of the source, and bytes past its start.
        from: (usize, u64),
        /// Number of bytes.
        bytes: u64,
    },
    /// Bytes of a buffer to a module's variable (`cudaMemcpyToSymbolAsync`, device to device).
    ToSymbol {
        /// Position in the plan's sources.
        source: usize,
        /// The variable.
        name: &'static str,
        /// Bytes past its start.
        offset: u64,
        /// Position in the plan's buffers, and bytes past its start.
        from: (usize, u64),
        /// Number of bytes.
        bytes: u64,
    },
    /// Bytes of a module's variable to a buffer.
    FromSymbol {
        /// Position in the plan's sources.
        source: usize,
        /// The variable.
        name: &'static str,
        /// Bytes past its start.
        offset: u64,
        /// Position in the plan's buffers, and bytes past its start.
        to: (usize, u64),
        /// Number of bytes.
        bytes: u64,
    },
}

/// A launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Position in the plan's sources.
    pub source: usize,
    /// The kernel's name.
    pub kernel: &'static str,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory a block, bytes.
    pub shared_bytes: u32,
    /// Arguments.
    pub args: Vec<Arg>,
}

/// A kernel argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A pointer `offset` bytes into a buffer.
    Buffer {
        /// Position in the plan's buffers.
        buffer: usize,
        /// Bytes past its start.
        offset: u64,
    },
    /// The pitch of a pitched buffer as a `size_t`, in elements.
    Pitch {
        /// Position in the plan's buffers.
        buffer: usize,
        /// Bytes of an element, a divisor of the pitch.
        element: u64,
    },
    /// `int`.
    I32(i32),
    /// `unsigned int`.
    U32(u32),
    /// `long long`.
    I64(i64),
    /// `unsigned long long` or `size_t`.
    U64(u64),
    /// `float`.
    F32(f32),
    /// A structure by value, laid out as C does.
    Struct(Vec<Arg>),
}

impl Work {
    /// Launches of the work, in order.
    pub fn launches(&self) -> impl Iterator<Item = &Launch> {
        let steps: &[Step] = if let Work::Steps(steps) = self { steps } else { &[] };
        let one = if let Work::Launch(launch) = self { Some(launch) } else { None };
        one.into_iter().chain(steps.iter().filter_map(|step| match step {
            Step::Launch(launch) => Some(launch),
            _ => None,
        }))
    }

    /// The host operation beside or in place of one launch, in words.
    pub fn operation(&self) -> Option<String> {
        let size = |bytes: u64| format::quantity(bytes as f64, "B");
        match self {
            Work::Launch(_) => None,
            Work::Steps(steps) => {
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
            Work::Transfer(Transfer { direction, memory, bytes }) => {
                let to = match direction {
                    Direction::ToDevice => "to the device",
                    Direction::ToHost => "to the host",
                };
                let memory = match memory {
                    HostMemory::Pageable => "pageable",
                    HostMemory::Pinned => "pinned",
                };
                Some(format!("copy of {} {to}, {memory} memory", size(*bytes)))
            }
            Work::Allocate { bytes } => Some(format!("allocation of {}", size(*bytes))),
            Work::Free { bytes } => Some(format!("deallocation of {}", size(*bytes))),
            Work::Pitch { width, rows } => {
                Some(format!("pitched allocation of {} rows of {}", format::count(*rows), size(*width)))
            }
        }
    }
}

impl From<&Launch> for record::Launch {
    fn from(launch: &Launch) -> Self {
        record::Launch {
            kernel: launch.kernel.to_owned(),
            grid: launch.grid,
            block: launch.block,
            shared_bytes: launch.shared_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch() -> Launch {
        Launch { source: 0, kernel: "k", grid: [1, 1, 1], block: [1, 1, 1], shared_bytes: 0, args: vec![] }
    }

    #[test]
    fn a_launch_alone_needs_no_words() {
        assert_eq!(Work::Launch(launch()).operation(), None);
    }

    #[test]
    fn what_the_host_asks_for_is_said() {
        let copy = Step::Copy { to: (0, 0), from: (1, 0), bytes: 4 };
        let steps = vec![copy.clone(), Step::Launch(launch()), copy, Step::Launch(launch())];
        let work = Work::Steps(steps);
        assert_eq!(work.operation().as_deref(), Some("2 launches, 2 copies on the device"));
        assert_eq!(work.launches().count(), 2);
        let transfer = Transfer { direction: Direction::ToHost, memory: HostMemory::Pinned, bytes: 1 << 20 };
        let said = Work::Transfer(transfer).operation().map(|s| s.replace('\u{a0}', " "));
        assert_eq!(said.as_deref(), Some("copy of 1 MiB to the host, pinned memory"));
    }
}
