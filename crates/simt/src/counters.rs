//! The counters of a launch, each named once with what it is.

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// What one launch counted.
        ///
        /// Where a counter has a metric of Nsight Compute, it equals that metric on an H200 for the PTX's own memory
        /// instructions: `tests/truth` holds 864 launches to check it with. Loads of kernel parameters are left out.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl Counters {
            /// Names and values, in the order of the declaration.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// Adds what was counted between two points of time.
            pub(crate) fn add_difference(&mut self, before: &Counters, after: &Counters) {
                $(self.$name += after.$name - before.$name;)+
            }

            /// Adds what another part of the launch counted.
            pub fn add(&mut self, other: &Counters) {
                $(self.$name += other.$name;)+
            }
        }
    };
}

counters! {
    /// PTX instructions times active lanes.
    thread_instructions,
    /// PTX instructions times warps (or parts of warps, where they diverge).
    warp_instructions,
    /// Conditional branches at which lanes of a warp went both ways. ptxas makes predicated instructions of short ones, so
    /// `smsp__sass_branch_targets_threads_divergent` is another number.
    divergent_branches,
    /// Barriers of a block at which a warp waited or arrived, once a warp (or part of one, where it diverged).
    barriers,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_ld`: global load instructions, once a warp.
    global_load_requests,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_ld`: distinct 32-byte sectors of each request.
    global_load_sectors,
    /// Distinct 128-byte lines of each request: L1 looks up one at a time.
    global_load_lines,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_st`.
    global_store_requests,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_st`.
    global_store_sectors,
    /// `smsp__sass_inst_executed_op_ldgsts`: `cp.async`, once a warp. They are among the requests of global loads, and no shared
    /// stores.
    copy_instructions,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access`: sectors of those through L1, not past it (`.cg`).
    copy_sectors,
    /// `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts`: on the way from L1's data to shared memory.
    copy_bank_conflicts,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_red`: reductions, and atomic operations whose old value nobody uses,
    /// of which ptxas makes reductions (but for exchanges and compare-and-swaps, and not with debug information).
    global_red_requests,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_red`: sectors, counted anew for lanes that hit an address once more.
    global_red_sectors,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_atom`: atomic operations that return the old value, and all through
    /// generic addresses. Those on half words are loops of compare-and-swaps, of which each round counts.
    global_atomic_requests,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_atom`.
    global_atomic_sectors,
    /// `l1tex__t_requests_pipe_lsu_mem_local_op_ld`: of local memory, one for every 4 bytes of a lane. ptxas keeps in
    /// registers what it can, also of `.local` variables, and puts there what does not fit in them.
    local_load_requests,
    /// `l1tex__t_sectors_pipe_lsu_mem_local_op_ld`: a word of eight neighbouring lanes is a sector.
    local_load_sectors,
    /// `l1tex__t_requests_pipe_lsu_mem_local_op_st`.
    local_store_requests,
    /// `l1tex__t_sectors_pipe_lsu_mem_local_op_st`.
    local_store_sectors,
    /// `smsp__inst_executed_op_generic_ld`: loads through generic addresses, which may be of any memory. They count as
    /// requests of global and of local memory too, and their wavefronts as those of shared memory, but they are none of its
    /// instructions. ptxas makes others of them where it sees which memory they reach.
    generic_load_instructions,
    /// `smsp__inst_executed_op_generic_st`.
    generic_store_instructions,
    /// `smsp__inst_executed_op_generic_atom`: atomic operations through generic addresses, and those of
    /// `global_atomic_requests`, which are the same instruction.
    generic_atomic_instructions,
    /// `smsp__inst_executed_op_shared_atom`: atomic operations of shared memory, once a warp, or once a round of the loop
    /// that ptxas makes of those that the chip has no instruction for; such a round loads too.
    shared_atomic_instructions,
    /// `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom`.
    shared_atomic_wavefronts,
    /// `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom`.
    shared_atomic_bank_conflicts,
    /// `smsp__inst_executed_op_ldsm`: `ldmatrix`; its wavefronts and conflicts are among those of shared loads.
    matrix_load_instructions,
    /// `stmatrix`; its wavefronts and conflicts are among those of shared stores.
    matrix_store_instructions,
    /// `smsp__inst_executed_op_shared_ld`.
    shared_load_instructions,
    /// `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld`: passes through the 32 banks.
    shared_load_wavefronts,
    /// `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld`: wavefronts beyond those that the width needs.
    shared_load_bank_conflicts,
    /// `smsp__inst_executed_op_shared_st`.
    shared_store_instructions,
    /// `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st`.
    shared_store_wavefronts,
    /// `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st`.
    shared_store_bank_conflicts,
    /// `smsp__inst_executed_op_ldc`: constant loads whose address a register holds, once a warp; a 16-byte load is two.
    const_instructions,
    /// `sm__idc_divergent_instructions`: those for which lanes gave different addresses.
    const_divergent_instructions,
    /// `sm__idc_divergent_instruction_replays`: distinct addresses beyond the first.
    const_replays,
    /// `idc__requests`: instructions and replays.
    idc_requests,
    /// Constant loads at an address that is known before the launch, once a warp. `ptxas` makes them uniform loads or
    /// operands of the instruction that uses the value; they are no per-lane loads and are not among
    /// `const_instructions`.
    const_uniform_instructions,
    /// Of `idc_requests`, those that missed the first constant cache of the modelled chip, after each line's first
    /// touch. Modelled, not counted: the replacement is an assumption.
    modelled_constant_l1_misses,
    /// Of those, the ones that missed the second constant cache too.
    modelled_constant_l2_misses,
}

impl Counters {
    /// The value of a counter by name.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }
}
