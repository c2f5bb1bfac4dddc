//! Special registers: which values they represent, and where these are found.

use super::context::Result;
use super::decoder::{Decoder, RESERVED};
use super::names::Uniformity;
use crate::WARP;
use crate::ir::*;
use ptx::At;

/// Where the value of a special register comes from.
enum SpecialSource {
    /// It is the same for the whole launch.
    Launch(UniformValue),
    /// It differs between blocks.
    Block(OfBlock),
    /// It differs between lanes or warps, or from one look to the next.
    Lane(Special),
}

/// The source of a special register; `reserved` is where the system's part of shared memory begins.
fn source(name: &str, axis: Option<u8>, reserved: u32) -> Option<SpecialSource> {
    use SpecialSource::{Block, Lane, Launch};
    let number = |value: u32| Launch(UniformValue::Immediate(value.into()));
    Some(match (name, axis) {
        ("%ntid", Some(axis)) => Launch(UniformValue::BlockSize(axis)),
        ("%nctaid", Some(axis)) => Launch(UniformValue::GridSize(axis)),
        ("%ctaid", Some(axis)) => Block(OfBlock::Index(axis)),
        ("%clusterid", Some(axis)) => Block(OfBlock::Cluster(axis)),
        ("%cluster_ctaid", Some(axis)) => Block(OfBlock::IndexInCluster(axis)),
        ("%cluster_ctarank", None) => Block(OfBlock::Rank),
        ("%cluster_nctaid", Some(axis)) => Launch(UniformValue::ClusterSize(axis)),
        ("%nclusterid", Some(axis)) => Launch(UniformValue::Clusters(axis)),
        ("%cluster_nctarank", None) => Launch(UniformValue::ClusterBlocks),
        // What the driver leaves there is said nowhere but in the headers of cooperative groups.
        ("%envreg1" | "%envreg2", None) => Launch(UniformValue::Workspace { high: name == "%envreg1" }),
        (name, None) if name.starts_with("%envreg") => number(0),
        ("%tid", Some(0)) => Lane(Special::TidX),
        ("%tid", Some(1)) => Lane(Special::TidY),
        ("%tid", Some(2)) => Lane(Special::TidZ),
        ("%laneid", _) => Lane(Special::LaneId),
        ("%warpid", _) => Lane(Special::WarpId),
        ("%nwarpid", _) => Lane(Special::Warps),
        ("%lanemask_eq", _) => Lane(Special::LanesEqual),
        ("%lanemask_lt", _) => Lane(Special::LanesBelow),
        ("%lanemask_le", _) => Lane(Special::LanesUpTo),
        ("%lanemask_gt", _) => Lane(Special::LanesAbove),
        ("%lanemask_ge", _) => Lane(Special::LanesFrom),
        ("%smid", _) => Lane(Special::Multiprocessor),
        ("%nsmid", _) => Lane(Special::Multiprocessors),
        ("%clock" | "%clock64" | "%globaltimer" | "%globaltimer_lo", _) => Lane(Special::Clock),
        ("%clock_hi" | "%globaltimer_hi", _) => Lane(Special::ClockHigh),
        ("%dynamic_smem_size", _) => Lane(Special::DynamicSharedBytes),
        ("%total_smem_size" | "%aggr_smem_size", _) => Lane(Special::SharedBytes),
        ("%ctaid" | "%tid" | "%clusterid" | "%cluster_ctaid" | "%gridid", _) => Lane(Special::Zero),
        ("%ntid" | "%nctaid" | "%cluster_nctaid" | "%nclusterid", _) => Lane(Special::One),
        ("%reserved_smem_offset_cap", _) => number(RESERVED),
        ("%reserved_smem_offset_end", _) => number(reserved.saturating_add(RESERVED)),
        // The second of the places there, which cooperative groups use.
        ("%reserved_smem_offset_1", _) => number(reserved.saturating_add(RESERVED / 2)),
        _ if name.starts_with("%reserved_smem_offset_") => number(reserved),
        ("WARP_SZ", _) => number(WARP as u32),
        _ => return None,
    })
}

impl<'m> Decoder<'m, '_> {
    /// The register that holds the value of a special register.
    pub(super) fn special(
        &mut self,
        at: At,
        name: &str,
        member: Option<&str>,
        file: File,
    ) -> Result<(Register, Uniformity)> {
        if file == File::P {
            if name == "%is_explicit_cluster" {
                let (a, b) =
                    (self.uniform(at, File::W, UniformValue::IsCluster)?, self.immediate(at, File::W, 0)?.0);
                return Ok((self.temporary(at, Function::NeW.of([a, b]))?, Uniformity::WARP));
            }
            return self.context.bad(at, format!("`{name}` is not a predicate"));
        }
        let axis = match member {
            Some("x") => Some(0),
            Some("y") => Some(1),
            Some("z") => Some(2),
            _ => None,
        };
        let reserved = self.kernel.reserved.as_ref().map_or(0, |bytes| bytes.start);
        let special = match source(name, axis, reserved) {
            Some(SpecialSource::Launch(value)) => {
                return Ok((self.uniform(at, file, value)?, Uniformity::LAUNCH));
            }
            Some(SpecialSource::Block(of)) => return self.of_block(at, file, of),
            Some(SpecialSource::Lane(special)) => special,
            None => {
                let member = member.map(|m| format!(".{m}")).unwrap_or_default();
                return self.context.unsupported(at, format!("`{name}{member}`"));
            }
        };
        let changes = matches!(special, Special::Clock | Special::ClockHigh | Special::Multiprocessor);
        if changes || !self.is_kernel {
            let d = self.temporary_register(at, file)?;
            self.emit(Op::Special { d, file, special });
            return Ok((d, Uniformity::WARP));
        }
        // A register of its own, which nothing else writes.
        if let Some(&d) = self.specials.get(&(file, special)) {
            return Ok((d, Uniformity::THREAD));
        }
        let d = self.new_register(at, file)?;
        self.specials.insert((file, special), d);
        self.kernel.thread_code.push(Op::Special { d, file, special }.into());
        Ok((d, Uniformity::THREAD))
    }
}
