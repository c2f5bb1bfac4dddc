//! The block that runs: its state, and where its worker is in it.

use super::block::{BlockState, POISON};
use super::launch::{Run, index_in};
use super::observers::of_block::BlockObservers;
use super::registers::RegisterFile;
use super::warp::Warp;
use crate::WARP;
use crate::ir::*;
use crate::lanes::{ALL, W, X};

/// Where a worker is in the block that it runs.
#[derive(Debug, Default)]
pub(super) struct Cursor {
    /// The warp that runs, the frame that it is in, and where that one's local memory begins.
    pub(super) warp: usize,
    pub(super) frame: u32,
    pub(super) local_base: u32,
    /// Since the last jump backwards of the warp's turn: looked at memory that others may write; changed something.
    pub(super) looked: bool,
    pub(super) did: bool,
    /// In its last turn, the warp has done nothing but look.
    pub(super) spun: bool,
}

/// Registers that are written once a block, by their places.
#[derive(Default)]
struct OncePerBlock {
    w: Vec<(usize, OfBlock)>,
    x: Vec<(usize, OfBlock)>,
}

/// The block that runs: registers, shared memory and warps, and where the worker is among these.
pub(super) struct CurrentBlock<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) block: BlockState<'a>,
    pub(super) cursor: Cursor,
    /// Budget of each block, warp instructions.
    pub(super) budget: u64,
    once_per_block: OncePerBlock,
}

impl<'a> CurrentBlock<'a> {
    /// None yet: the registers that all blocks of the launch have alike, but for those that instructions compute.
    #[inline(always)]
    pub(super) fn new(run: &'a Run<'a>) -> Self {
        let kernel = run.kernel;
        let warps = run.warps_per_block() as usize;
        let frame = &kernel.functions[0];
        let mut block = BlockState {
            registers: RegisterFile::new(
                kernel.uniform_w.len() + warps * usize::from(frame.w),
                kernel.uniform_x.len() + warps * usize::from(frame.x),
                warps * usize::from(frame.p),
            ),
            shared: vec![0; run.shared_bytes as usize],
            warps: (0..warps).map(|_| Warp::default()).collect(),
            observers: BlockObservers::new(run),
            ..BlockState::default()
        };
        let mut once_per_block = OncePerBlock::default();
        for (n, fixed) in kernel.uniform_w.iter().enumerate() {
            if let Some(fixed) = fixed {
                block.registers.w[n] = W::splat(run.value(*fixed) as u32);
                if let UniformValue::Block(of) = fixed {
                    once_per_block.w.push((n, *of));
                }
            }
        }
        for (n, fixed) in kernel.uniform_x.iter().enumerate() {
            if let Some(fixed) = fixed {
                block.registers.x[n] = X::splat(run.value(*fixed));
                if let UniformValue::Block(of) = fixed {
                    once_per_block.x.push((n, *of));
                }
            }
        }
        CurrentBlock { run, block, cursor: Cursor::default(), budget: run.block_budget(), once_per_block }
    }

    /// Begins a block: it has spent nothing, and its registers have what all of its threads have alike, but for those that
    /// instructions compute.
    #[inline(always)]
    pub(super) fn begin(&mut self, cluster: u64, rank: u32) {
        let (block, index) = self.run.number_of(cluster, rank);
        self.block.number = block;
        self.block.cluster = cluster;
        self.block.rank = rank;
        self.block.accounted = 0;
        self.block.incomplete = None;
        self.block.spent = 0;
        self.block.clock_reads = 0;
        self.block.fences = 0;
        self.block.allowed = self.budget;
        self.charge(self.run.block_cost());
        self.enter_kernel();
        self.forget_frames();
        let of_block = |of: &OfBlock| match *of {
            OfBlock::Index(axis) => index[usize::from(axis)],
            OfBlock::Cluster(axis) => index_in(cluster, self.run.clusters())[usize::from(axis)],
            OfBlock::IndexInCluster(axis) => index_in(u64::from(rank), self.run.cluster)[usize::from(axis)],
            OfBlock::Rank => rank,
        };
        for (n, of) in &self.once_per_block.w {
            self.block.registers.w[*n] = W::splat(of_block(of));
        }
        for (n, of) in &self.once_per_block.x {
            self.block.registers.x[*n] = X::splat(u64::from(of_block(of)));
        }
        self.block.shared.fill(POISON as u8);
        self.block.arrived = [0; BARRIERS];
    }

    /// Puts the lanes of all warps at the kernel's start.
    #[inline(always)]
    pub(super) fn start_warps(&mut self) {
        let threads = self.run.block.iter().product::<u32>();
        for n in 0..self.block.warps.len() {
            let lanes = (threads - (n * WARP) as u32).min(WARP as u32);
            self.start_warp(n, ALL >> (WARP as u32 - lanes));
        }
    }

    /// Makes the registers of a warp's first frame the current ones.
    pub(super) fn enter_warp(&mut self, n: usize) {
        self.cursor.warp = n;
        self.block.registers.enter(self.run.kernel.registers_of(n).into());
    }

    /// Takes something other than an instruction from the block's budget.
    #[inline]
    pub(super) fn charge(&mut self, instructions: u64) {
        self.block.allowed = self.block.allowed.saturating_sub(instructions);
    }

    /// Warp instructions that the block has taken of its budget, less those that it was given back.
    #[inline]
    pub(super) fn used(&self) -> u64 {
        self.block.spent + self.budget - self.block.allowed
    }

    /// Gives back to the block what it took for waiting.
    #[inline]
    pub(super) fn give_back(&mut self, instructions: u64) {
        self.block.allowed += instructions;
    }

    /// Leaves the function that the block before was in, whether it has ended there, waits there, or has had a
    /// fault: its frame is none of the next block's.
    pub(super) fn enter_kernel(&mut self) {
        self.cursor.warp = 0;
        self.cursor.frame = 0;
        self.cursor.local_base = 0;
        self.block.registers.enter(self.run.kernel.registers_of(0).into());
    }
}
