//! What of global memory a kernel's accesses may reach, as far as their addresses tell: of the check of races there, which
//! then knows before the launch which allocations it has to watch.

/// What the accesses from a root do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Uses {
    /// Loads that other threads' stores may change.
    pub(crate) loads: bool,
    /// Loads of what nothing may change in the whole launch: `ld.global.nc`, fetches of textures.
    pub(crate) read_only: bool,
    pub(crate) stores: bool,
    pub(crate) atomics: bool,
    /// Logarithm to base 2 of the bytes of the narrowest of their elements.
    pub(crate) shift: u8,
}

impl Default for Uses {
    fn default() -> Self {
        Uses::NONE
    }
}

impl Uses {
    /// The logarithm for elements of 8 bytes, the widest.
    pub(crate) const WIDEST: u8 = 3;
    pub(crate) const NONE: Uses =
        Uses { loads: false, read_only: false, stores: false, atomics: false, shift: Uses::WIDEST };

    /// Adds others.
    pub(crate) fn add(&mut self, other: Uses) {
        self.loads |= other.loads;
        self.read_only |= other.read_only;
        self.stores |= other.stores;
        self.atomics |= other.atomics;
        self.shift = self.shift.min(other.shift);
    }

    /// Whether two of these accesses can be in each other's way.
    pub(crate) fn conflict(self, races: bool, read_only: bool) -> bool {
        races && self.stores || read_only && self.read_only && (self.stores || self.atomics)
    }
}

/// Where an address may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// The pointer at these bytes of the parameters.
    Parameter(u32),
    /// A variable of the module, by its number.
    Symbol(u32),
}

/// What a kernel's accesses may reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    pub(crate) roots: Vec<(Root, Uses)>,
    /// From pointers that may lead anywhere.
    pub(crate) anywhere: Option<Uses>,
    /// Whether it fetches textures, which may be of global memory.
    pub(crate) textures: bool,
    /// What it does to texels of surfaces.
    pub(crate) surfaces: Uses,
    /// Whether a thread may learn of what other blocks did: by an atomic operation that tells what was there, or a load that
    /// others may be waiting for.
    pub(crate) orders_blocks: bool,
    /// For each access of the kernel whether it stores one value whichever thread does, as flags are set.
    pub(crate) flags: Vec<bool>,
    /// For each access whether the kernel loads from the same register and offset that it stores to.
    pub(crate) updates: Vec<bool>,
}
