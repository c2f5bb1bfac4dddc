//! The rows of the catalogue, a counter each. `scripts/ncu.py` reads names and metrics from here too, line by line.

use crate::{Counter, Space, Unit};

catalogue! {
    /// PTX instructions times active lanes.
    thread_instructions ("instructions of threads"): ThreadInstruction = "smsp__thread_inst_executed", profiled;
    /// PTX instructions, once a warp, or once a divergent path of a warp.
    warp_instructions ("instructions of warps"): Instruction = "smsp__inst_executed", profiled;
    hardware {
        /// Warp instructions of the multiprocessor that executed most.
        busiest_instructions ("instructions of the busiest multiprocessor"): Instruction = "sm__inst_executed.max", profiled;
    }
    hardware {
        /// Cycles of schedulers, of which a multiprocessor has four, those without a warp included.
        elapsed_cycles ("cycles of schedulers"): Cycle = "smsp__cycles_elapsed", profiled;
    }
    hardware {
        /// Cycles of schedulers that had a warp.
        active_cycles ("cycles of schedulers with a warp"): Cycle = "smsp__cycles_active", profiled;
    }
    hardware {
        /// Cycles of schedulers that issued an instruction.
        issue_cycles ("cycles of schedulers that issue"): Cycle = "smsp__issue_active", profiled;
    }
    hardware {
        /// Cycles of warps on a multiprocessor, whatever they do.
        warp_cycles ("cycles of warps"): Cycle = "smsp__warps_active", profiled;
    }
    hardware {
        /// Cycles of warps that could issue while their scheduler chose another.
        ready_cycles ("cycles of warps that are ready"): Cycle = "smsp__warps_issue_stalled_not_selected", profiled;
    }
    hardware {
        /// Cycles of warps that waited for a load through L1: of global, local or texture memory.
        stalled_long_scoreboard ("cycles of warps that wait for a load through L1"): Cycle = "smsp__warps_issue_stalled_long_scoreboard", profiled;
    }
    hardware {
        /// Cycles of warps that waited for a result of shared or constant memory, or of the unit for special functions.
        stalled_short_scoreboard ("cycles of warps that wait for shared or constant memory"): Cycle = "smsp__warps_issue_stalled_short_scoreboard", profiled;
    }
    hardware {
        /// Cycles of warps that waited for room in the queue to shared and constant memory and to that unit.
        stalled_mio_throttle ("cycles of warps that wait for room in the queue to shared memory"): Cycle = "smsp__warps_issue_stalled_mio_throttle", profiled;
    }
    hardware {
        /// Cycles of warps that waited for room in the queue to L1.
        stalled_lg_throttle ("cycles of warps that wait for room in the queue to L1"): Cycle = "smsp__warps_issue_stalled_lg_throttle", profiled;
    }
    hardware {
        /// Cycles of warps that waited for a line of the cache of constant operands, the immediate constant cache.
        stalled_imc_miss ("cycles of warps that wait for constant operands"): Cycle = "smsp__warps_issue_stalled_imc_miss", profiled;
    }
    hardware {
        /// Cycles of warps that waited for an arithmetic unit.
        stalled_math_pipe_throttle ("cycles of warps that wait for an arithmetic unit"): Cycle = "smsp__warps_issue_stalled_math_pipe_throttle", profiled;
    }
    hardware {
        /// Cycles of warps that the dispatcher held back.
        stalled_dispatch ("cycles of warps that the dispatcher holds back"): Cycle = "smsp__warps_issue_stalled_dispatch_stall", profiled;
    }
    hardware {
        /// Cycles of warps that waited for a result of arithmetic, whose latency is fixed.
        stalled_wait ("cycles of warps that wait for a result of arithmetic"): Cycle = "smsp__warps_issue_stalled_wait", profiled;
    }
    hardware {
        /// Cycles of warps that waited at a barrier of their block.
        stalled_barrier ("cycles of warps that wait at a barrier"): Cycle = "smsp__warps_issue_stalled_barrier", profiled;
    }
    hardware {
        /// Cycles of warps that waited for the next instruction to be fetched.
        stalled_no_instruction ("cycles of warps that wait for an instruction"): Cycle = "smsp__warps_issue_stalled_no_instruction", profiled;
    }
    /// Conditional branches at which lanes of a warp went both ways.
    ///
    /// ptxas makes predicated instructions of short ones, so `smsp__sass_branch_targets_threads_divergent` is a different
    /// number.
    divergent_branches ("divergent branches"): Instruction;
    /// Barriers of a block at which a warp, or a divergent path of one, waited or arrived.
    barriers ("barriers"): Instruction;

    /// Global load instructions, once a warp.
    global_load_requests ("requests of global loads"): Request of Global = "l1tex__t_requests_pipe_lsu_mem_global_op_ld", profiled;
    /// Distinct 32-byte sectors that global loads touch, summed over requests.
    global_load_sectors ("sectors of global loads"): Sector of Global = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", profiled;
    hardware {
        /// Sectors of global loads that were found in L1.
        ///
        /// The embedded device models the caches, so it has a time for a miss and no count.
        global_load_hits ("hits in L1 of global loads"): Sector of Global = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit", profiled;
    }
    hardware {
        /// Passes through the data path that L1 and shared memory have in common.
        lsu_wavefronts ("wavefronts in L1"): Wavefront = "l1tex__data_pipe_lsu_wavefronts", profiled;
    }
    hardware {
        /// Sectors that were read from DRAM, for loads and to complete sectors that were written in part.
        dram_read_sectors ("sectors read from DRAM"): Sector = "dram__sectors_read", profiled;
    }
    /// Cycles of L1's tags for global loads: each of four banks looks up a 128-byte line a cycle.
    global_load_wavefronts ("tag wavefronts of global loads"): Wavefront of Global = "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld", profiled;
    /// Passes of global loads through L1's data: each of 32 banks gives a word a pass, and registers get 128 bytes.
    ///
    /// Loads whose lanes are all off take one, without a request. A load takes as many cycles of L1 as it has wavefronts of
    /// the tags or of the data, whichever are more; the rule is measured (`scripts/turns`), and no metric counts these.
    global_load_data_wavefronts ("data wavefronts of global loads"): Wavefront of Global;
    /// Global store instructions, once a warp.
    global_store_requests ("requests of global stores"): Request of Global = "l1tex__t_requests_pipe_lsu_mem_global_op_st", profiled;
    /// Distinct 32-byte sectors that global stores touch, summed over requests.
    global_store_sectors ("sectors of global stores"): Sector of Global = "l1tex__t_sectors_pipe_lsu_mem_global_op_st", profiled;
    /// Cycles of L1's tags for global stores.
    global_store_wavefronts ("tag wavefronts of global stores"): Wavefront of Global = "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st", profiled;
    /// Passes of global stores through L1's data, those of stores whose lanes are all off included.
    global_store_data_wavefronts ("data wavefronts of global stores"): Wavefront of Global;
    /// Asynchronous copies (`cp.async`), once a warp.
    ///
    /// They count among the requests of global loads, and not as shared stores.
    copy_instructions ("asynchronous copies"): Instruction of Global = "smsp__sass_inst_executed_op_ldgsts";
    /// Sectors of asynchronous copies that go through L1, not past it (`.cg`).
    copy_sectors ("sectors of asynchronous copies"): Sector of Global = "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access";
    /// Bank conflicts of asynchronous copies, on the way from L1's data to shared memory.
    copy_bank_conflicts ("bank conflicts of asynchronous copies"): BankConflict of Shared = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts";
    /// Bulk copies (`cp.async.bulk`), once for each lane that makes one.
    ///
    /// They go past L1 and the registers, and no other counter has them.
    bulk_copies ("bulk copies"): Instruction of Global;
    /// Sectors that bulk copies read from global memory.
    bulk_load_sectors ("sectors that bulk copies read"): Sector of Global;
    /// Sectors that bulk copies write to global memory.
    bulk_store_sectors ("sectors that bulk copies write"): Sector of Global;
    /// Reductions of global memory, once a warp, and atomic operations whose old value is not used.
    ///
    /// ptxas replaces the latter by reductions, except exchanges and compare-and-swaps, and not with debug information.
    global_red_requests ("requests of global reductions"): Request of Global = "l1tex__t_requests_pipe_lsu_mem_global_op_red", profiled;
    /// Sectors of global reductions, counted again for lanes that hit an address once more.
    global_red_sectors ("sectors of global reductions"): Sector of Global = "l1tex__t_sectors_pipe_lsu_mem_global_op_red", profiled;
    /// Atomic operations on global memory that return the old value, and all through generic addresses.
    ///
    /// Operations on half words are loops of compare-and-swaps, of which each iteration counts.
    global_atomic_requests ("requests of global atomic operations"): Request of Global = "l1tex__t_requests_pipe_lsu_mem_global_op_atom";
    /// Sectors of those atomic operations.
    global_atomic_sectors ("sectors of global atomic operations"): Sector of Global = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom";

    /// Texture fetches (`tex`, `tld4`), once a warp.
    texture_instructions ("texture fetches"): Instruction of Texture = "smsp__inst_executed_op_texture";
    /// Requests of texture fetches, of four lanes each.
    ///
    /// With integer coordinates and texels of fewer than 16 bytes, of eight lanes.
    texture_requests ("requests of texture fetches"): Request of Texture = "l1tex__t_requests_pipe_tex_mem_texture";
    /// Distinct 32-byte sectors of texels, summed over requests.
    ///
    /// A sector of an array is 16 bytes of two rows. A fetch that interpolates reaches up to eight texels; with three dimensions or texels of 16 bytes a request is two
    /// lookups, of two lanes each.
    texture_sectors ("sectors of texture fetches"): Sector of Texture = "l1tex__t_sectors_pipe_tex_mem_texture";
    /// Requests of surface loads (`suld`): eight lanes each, and four in three dimensions.
    surface_load_requests ("requests of surface loads"): Request of Texture = "l1tex__t_requests_pipe_tex_mem_surface_op_ld";
    /// Distinct 32-byte sectors of surface loads, summed over requests.
    surface_load_sectors ("sectors of surface loads"): Sector of Texture = "l1tex__t_sectors_pipe_tex_mem_surface_op_ld";
    /// Requests of surface stores (`sust`): eight lanes each, and four in three dimensions.
    surface_store_requests ("requests of surface stores"): Request of Texture = "l1tex__t_requests_pipe_tex_mem_surface_op_st";
    /// Distinct 32-byte sectors of surface stores, summed over requests.
    surface_store_sectors ("sectors of surface stores"): Sector of Texture = "l1tex__t_sectors_pipe_tex_mem_surface_op_st";
    /// Requests of surface reductions (`sured`): eight lanes each.
    surface_red_requests ("requests of surface reductions"): Request of Texture = "l1tex__t_requests_pipe_tex_mem_surface_op_red";
    /// Sectors of surface reductions, counted again for lanes that hit an address once more.
    surface_red_sectors ("sectors of surface reductions"): Sector of Texture = "l1tex__t_sectors_pipe_tex_mem_surface_op_red";

    /// Loads from local memory, one for every 4 bytes of a lane.
    ///
    /// ptxas keeps as much as it can in registers, `.local` variables included, and spills the rest to local memory.
    local_load_requests ("requests of local loads"): Request of Local = "l1tex__t_requests_pipe_lsu_mem_local_op_ld";
    /// Sectors of local loads: a word of eight neighbouring lanes is one.
    local_load_sectors ("sectors of local loads"): Sector of Local = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld";
    /// Stores to local memory, one for every 4 bytes of a lane.
    local_store_requests ("requests of local stores"): Request of Local = "l1tex__t_requests_pipe_lsu_mem_local_op_st";
    /// Sectors of local stores: a word of eight neighbouring lanes is one.
    local_store_sectors ("sectors of local stores"): Sector of Local = "l1tex__t_sectors_pipe_lsu_mem_local_op_st";

    /// Loads through generic addresses, which may be of any memory.
    ///
    /// They count as requests of global and of local memory too, and their wavefronts as those of shared memory, but they
    /// are not among its instructions. ptxas replaces them where it can determine which memory they reach.
    generic_load_instructions ("loads through generic addresses"): Instruction of Generic = "smsp__inst_executed_op_generic_ld";
    /// Stores through generic addresses, which may be of any memory.
    generic_store_instructions ("stores through generic addresses"): Instruction of Generic = "smsp__inst_executed_op_generic_st";
    /// Atomic operations through generic addresses, and those of `global_atomic_requests`, the same instruction.
    generic_atomic_instructions ("atomic operations through generic addresses"): Instruction of Generic = "smsp__inst_executed_op_generic_atom";

    /// Atomic operations on shared memory, once a warp.
    ///
    /// If ptxas expands an operation that the chip lacks to a loop, each iteration counts, and so do the loop's loads.
    shared_atomic_instructions ("shared atomic operations"): Instruction of Shared = "smsp__inst_executed_op_shared_atom";
    /// Passes of shared atomic operations through the 32 banks.
    shared_atomic_wavefronts ("wavefronts of shared atomic operations"): Wavefront of Shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom";
    /// Wavefronts of shared atomic operations beyond those that the width of the access needs.
    shared_atomic_bank_conflicts ("bank conflicts of shared atomic operations"): BankConflict of Shared = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom";
    /// Loads of matrices (`ldmatrix`), whose wavefronts and conflicts are among those of shared loads.
    matrix_load_instructions ("loads of matrices"): Instruction of Shared = "smsp__inst_executed_op_ldsm";
    /// Stores of matrices (`stmatrix`), whose wavefronts and conflicts are among those of shared stores.
    matrix_store_instructions ("stores of matrices"): Instruction of Shared;
    /// Shared load instructions, once a warp.
    shared_load_instructions ("shared loads"): Instruction of Shared = "smsp__inst_executed_op_shared_ld", profiled;
    /// Passes of shared loads through the 32 banks.
    shared_load_wavefronts ("wavefronts of shared loads"): Wavefront of Shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", profiled;
    /// Wavefronts of shared loads beyond those that the width of the access needs.
    shared_load_bank_conflicts ("bank conflicts of shared loads"): BankConflict of Shared = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", profiled;
    /// Shared store instructions, once a warp.
    shared_store_instructions ("shared stores"): Instruction of Shared = "smsp__inst_executed_op_shared_st", profiled;
    /// Passes of shared stores through the 32 banks.
    shared_store_wavefronts ("wavefronts of shared stores"): Wavefront of Shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", profiled;
    /// Wavefronts of shared stores beyond those that the width of the access needs.
    shared_store_bank_conflicts ("bank conflicts of shared stores"): BankConflict of Shared = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st", profiled;

    /// Constant loads whose address a register holds, once a warp; a 16-byte load is two.
    const_instructions ("constant loads"): Instruction of Constant = "smsp__inst_executed_op_ldc", profiled;
    /// Constant loads for which lanes gave different addresses.
    const_divergent_instructions ("divergent constant loads"): Instruction of Constant = "sm__idc_divergent_instructions", profiled;
    /// Distinct addresses of constant loads beyond the first, each of which is one more pass.
    const_replays ("replays of constant loads"): Replay of Constant = "sm__idc_divergent_instruction_replays", profiled;
    /// Requests to the first constant cache: constant loads and their replays.
    idc_requests ("requests to the constant cache"): Request of Constant = "idc__requests", profiled;
    hardware {
        /// Requests that the first constant cache could not serve; `modelled_constant_l1_misses` is the model's.
        idc_misses ("misses in the constant cache"): Request of Constant = "idc__requests_lookup_miss", profiled;
    }
    /// Constant loads at an address that is known before the launch, once a warp.
    ///
    /// ptxas makes them uniform loads or operands of the instruction that uses the value; they are not per-lane loads and
    /// are not among `const_instructions`.
    const_uniform_instructions ("uniform constant loads"): Instruction of Constant;
    /// Requests that missed the first constant cache of the modelled chip, after each line's first touch.
    ///
    /// Modelled, not counted: the replacement is an assumption.
    modelled_constant_l1_misses ("misses in the first constant cache, modelled"): Request of Constant;
    /// Requests that missed the second constant cache of the modelled chip too.
    modelled_constant_l2_misses ("misses in the second constant cache, modelled"): Request of Constant;
}
