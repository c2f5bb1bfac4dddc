//! Figures of single memory instructions, as pure data.
//!
//! A trace is a launch (or several, as panels below each other) that is made once on the embedded device in every run
//! of a lab, on a GPU too, only to see which addresses a few warps ask for and what that costs. It has its own
//! buffers, so that its figure is the same whatever sizes the run has: small ones do. What it shows is in the record
//! (`Record.traces`), among the lab's plots (`<id>.svg`), and in the book by `{{#figure RECORD ID}}`.
//!
//! ```ignore
//! let mut buffers = Buffers::default();
//! let [a, b] = ["a", "b"].map(|name| buffers.linear(name, 64 * 64 * 4)); // memory that is not written is zero
//! plan.traces.push(Trace {
//!     id: "tile-walk",
//!     title: "The tiles that one block reads",
//!     // Colours distinguish steps; for one instruction's lanes: Draw::Sectors, Draw::Banks, Draw::Constant.
//!     draw: Draw::Grid {
//!         matrices: vec![
//!             Matrix::rows(Memory::Buffer(a), "A, 64 × 64 floats", 4, 64, 64),
//!             Matrix::rows(Memory::Buffer(b), "B, 64 × 64 floats", 4, 64, 64),
//!         ],
//!         threads: false,
//!     },
//!     buffers,
//!     writes: vec![],
//!     panels: vec![Panel {
//!         label: String::new(),
//!         writes: vec![],
//!         texture: None,
//!         launch: Launch::new(&kernels::TILES, "product", [4, 4, 1], [16, 16, 1], args),
//!         block: [1, 2, 0],
//!         warps: 0..8,
//!         picks: vec![
//!             // The line of the kernel that holds this text, and which of its accesses.
//!             Pick::new(AccessKind::Load, Space::Global, "left[threadIdx.y][threadIdx.x] = a[").each("step", 1),
//!             Pick::new(AccessKind::Load, Space::Global, "right[threadIdx.y][threadIdx.x] = b[").each("step", 1),
//!         ],
//!     }],
//! });
//! ```
//!
//! Sectors, banks and passes of one warp's instruction: `picks: vec![Pick::new(Load, Constant, "sphere[i]").only(0)]`,
//! one panel for each pattern that is compared. A pick that finds nothing, or a text that is in no line of the kernel,
//! is an error that says so (a note, where the reader has edited the kernel).

use super::buffers::{BufferId, Buffers};
use super::work::Launch;
use super::write::Write;
pub use record::{AccessKind, Space};
use std::ops::Range;

/// One figure.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Id in the record, and name of the SVG: no experiment has the same.
    pub id: &'static str,
    /// Title in the record.
    pub title: &'static str,
    /// Kind of drawing.
    pub draw: Draw,
    /// Its own memory, which the launches' arguments and the writes refer to.
    pub buffers: Buffers,
    /// Writes made before those of each panel.
    pub writes: Vec<Write>,
    /// One launch each, below each other.
    pub panels: Vec<Panel>,
}

/// Kind of drawing of a trace.
#[derive(Clone, Debug)]
pub enum Draw {
    /// One access to global memory a panel: from lanes to sectors in their lines.
    Sectors,
    /// One access to shared memory a panel: from lanes to banks and the words that each must give.
    Banks,
    /// One access to constant memory a panel: from lanes to addresses, one a pass.
    Constant,
    /// One fetch of a texture a panel: from lanes to texels, in the sectors that hold them.
    Texels,
    /// Rows of elements, those that were touched in their group's colour.
    Grid {
        /// Matrices, side by side where there is room.
        matrices: Vec<Matrix>,
        /// Each element shows the number of the thread that touched it (if that is wide enough: 32 or so a row).
        threads: bool,
    },
}

/// A memory, seen as rows of elements.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Memory that has the rows.
    pub memory: Memory,
    /// Above it.
    pub label: String,
    /// Bytes of an element: 1, 2, 4, 8 or 16.
    pub element: u32,
    /// Layout of the rows.
    pub layout: Layout,
    /// Names of a row's elements; empty, or one for each.
    pub columns: Vec<&'static str>,
    /// Whether the borders of sectors and lines are drawn.
    pub sectors: bool,
    /// Number of elements at either end of each row that are marked as a halo.
    pub halo: u64,
}

impl Matrix {
    /// Rows without padding, from the memory's start: their number, their elements, and the bytes of one.
    pub fn rows(memory: Memory, label: &str, element: u32, rows: u32, columns: u64) -> Self {
        let row_bytes = columns * u64::from(element);
        let layout = Layout::Rows { offset: 0, row_bytes, used_bytes: row_bytes, rows };
        Matrix { memory, label: label.to_owned(), element, layout, columns: vec![], sectors: false, halo: 0 }
    }

    /// Gives each element of a row a name, as the members of a struct have.
    #[must_use]
    pub fn named(self, columns: &[&'static str]) -> Self {
        Matrix { columns: columns.into(), ..self }
    }

    /// The rows of a pitched buffer, with their padding and the borders of sectors.
    pub fn pitched(buffer: BufferId, label: &str, element: u32) -> Self {
        let (memory, layout) = (Memory::Buffer(buffer), Layout::Pitched);
        Matrix { memory, label: label.to_owned(), element, layout, columns: vec![], sectors: true, halo: 0 }
    }
}

/// A memory of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// One of [`Trace::buffers`].
    Buffer(BufferId),
    /// The block's shared memory, from its start.
    Shared,
    /// A `__constant__` or `__device__` variable.
    Symbol(&'static str),
}

/// Layout of a matrix' rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Rows of a pitched buffer, as the device allocated it.
    Pitched,
    /// Rows of given dimensions.
    Rows {
        /// The first one, bytes from the memory's start.
        offset: u64,
        /// From row to row, bytes.
        row_bytes: u64,
        /// Bytes of a row that hold elements.
        used_bytes: u64,
        /// Number of rows.
        rows: u32,
    },
}

/// A launch, and what is shown of it.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The launch's part in the figure; empty where there is only one.
    pub label: String,
    /// Writes made before the launch.
    pub writes: Vec<Write>,
    /// Texture object that the kernel gets as its first argument, before the launch's own.
    pub texture: Option<Texture>,
    /// The launch; buffers are those of the trace.
    pub launch: Launch,
    /// The block that is looked at, by its index in the grid.
    pub block: [u32; 3],
    /// Warps that are traced.
    pub warps: Range<u32>,
    /// Accesses that are shown; for sectors, banks and passes one access of one warp in all.
    pub picks: Vec<Pick>,
}

/// A texture object of floats: coordinates in texels, which are clamped, and no filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// A pitched buffer, whose rows are its texels.
    pub buffer: BufferId,
    /// Whether the texels are in an array instead, of the same size.
    pub array: bool,
}

/// Some of the accesses of a line of source.
#[derive(Clone, Debug)]
pub struct Pick {
    /// Text that is in the line (or lines), as the `.cu` has it.
    pub line: &'static str,
    /// Loads, stores or atomic operations.
    pub kind: AccessKind,
    /// The memory that they reach.
    pub space: Space,
    /// Range of accesses, by how many such accesses the warp made before.
    pub nth: Range<u32>,
    /// Their colour.
    pub group: Group,
}

/// Meaning of a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// One for all that are picked; picks with the same name share it.
    Named(&'static str),
    /// One for each step of a loop: `step 0`, `step 1`, ….
    Each {
        /// Name of a group, such as `step`.
        name: &'static str,
        /// Accesses of a warp that are one step: those of one trip through the line.
        accesses: u32,
    },
    /// One for each warp: `warp 0`, `warp 1`, ….
    Warp,
}

impl Pick {
    /// All such accesses of the lines that hold this text, in one colour that has no name.
    pub fn new(kind: AccessKind, space: Space, line: &'static str) -> Self {
        Pick { line, kind, space, nth: 0..u32::MAX, group: Group::Named("") }
    }

    /// Selects only the access that follows `n` others of the warp.
    #[must_use]
    pub fn only(self, n: u32) -> Self {
        Pick { nth: n..n + 1, ..self }
    }

    /// Selects only the first `count` accesses of each warp.
    #[must_use]
    pub fn first(self, count: u32) -> Self {
        Pick { nth: 0..count, ..self }
    }

    /// Gives the accesses one colour with this name.
    #[must_use]
    pub fn named(self, name: &'static str) -> Self {
        Pick { group: Group::Named(name), ..self }
    }

    /// Gives each step a colour; a step has `accesses` accesses of each warp.
    #[must_use]
    pub fn each(self, name: &'static str, accesses: u32) -> Self {
        Pick { group: Group::Each { name, accesses }, ..self }
    }

    /// Gives each warp a colour.
    #[must_use]
    pub fn by_warp(self) -> Self {
        Pick { group: Group::Warp, ..self }
    }
}
