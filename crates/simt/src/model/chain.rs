//! The longest chain of dependent results of a basic block, as how many results of each kind lie on it.

/// Results of each kind on a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Instructions issued while no result is waited for: a cycle each.
    pub issued: u64,
    /// Arithmetic.
    pub alu: u64,
    /// By the special function units.
    pub special: u64,
    /// In double precision.
    pub double: u64,
    /// Turns of tensor cores.
    pub tensor: u64,
    /// Shuffles.
    pub shuffle: u64,
    /// Atomic operations on shared memory whose result is used, and on global memory.
    pub shared_atomic: u64,
    pub global_atomic: u64,
    /// Loads from shared memory.
    pub shared: u64,
    /// Loads from constant memory whose address a register holds.
    pub constant: u64,
    /// Of these, such that only have to wait for the turn of the one before.
    pub constant_turn: u64,
    /// Loads from global memory.
    pub global: u64,
}

impl Chain {
    /// A block's chain is the sum of two, each of them four times: see the pass that finds it.
    pub(crate) const SCALE: u64 = 8;

    /// Cycles with the latencies that chips have about: they choose the chain, and do not time it.
    pub(crate) fn nominal(&self) -> u64 {
        self.issued
            + 4 * self.alu
            + 18 * self.special
            + 8 * (self.double + self.tensor)
            + 24 * (self.shared + self.shuffle)
            + 60 * (self.constant + self.shared_atomic)
            + 8 * self.constant_turn
            + 400 * self.global
            + 700 * self.global_atomic
    }

    /// The one that ends later.
    pub(crate) fn later(self, other: &Chain) -> Chain {
        if other.nominal() > self.nominal() { *other } else { self }
    }

    pub(crate) fn add(&mut self, other: &Chain) {
        self.issued += other.issued;
        self.alu += other.alu;
        self.special += other.special;
        self.double += other.double;
        self.tensor += other.tensor;
        self.shuffle += other.shuffle;
        self.shared_atomic += other.shared_atomic;
        self.global_atomic += other.global_atomic;
        self.shared += other.shared;
        self.constant += other.constant;
        self.constant_turn += other.constant_turn;
        self.global += other.global;
    }
}
