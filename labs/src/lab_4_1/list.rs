//! A linked list in device memory: its nodes hold addresses of the device, and a kernel follows them.

use crate::plan::{Allocation, Attempt, BufferId, Finding, Plan, Probe};
use anyhow::Result;
use device::{Arg, Launch};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// The check, which a claim is judged by.
pub(super) const CHECK: &str = "list";

const NODES: usize = 100;
/// A pointer, an `unsigned`, and what aligns the next pointer.
const NODE_BYTES: u64 = 16;

pub(super) fn plan(plan: &mut Plan, seed: u64) {
    let shape = Allocation::Linear { bytes: NODES as u64 * NODE_BYTES };
    let nodes = plan.buffer("nodes", shape, None);
    let out = plan.buffer("sum of the list", Allocation::Linear { bytes: 4 }, None);
    let what = format!("a kernel follows a list of {NODES} nodes that lie in memory in another order");
    plan.attempts.push(Attempt::new(CHECK, &what, move |probe| walk(probe, nodes, out, seed)));
}

/// The order in which the nodes are linked.
fn order(seed: u64) -> Vec<usize> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..NODES).collect();
    for last in (1..NODES).rev() {
        order.swap(last, random.next_u32() as usize % (last + 1));
    }
    order
}

fn walk(probe: &mut Probe<'_>, nodes: BufferId, out: BufferId, seed: u64) -> Result<Finding> {
    let (nodes, out) = (probe.buffer(nodes)?, probe.buffer(out)?);
    let base = probe.device.address(nodes)?;
    let at = |node: usize| node as u64 * NODE_BYTES;
    let order = order(seed);
    let mut expected = 0u32;
    for (place, &node) in order.iter().enumerate() {
        let next = order.get(place + 1).map_or(0, |&next| base + at(next));
        let value = 7 * node as u32 + 1;
        let mut bytes = next.to_le_bytes().to_vec();
        bytes.extend(value.to_le_bytes());
        bytes.extend([0; 4]);
        probe.device.write(nodes, at(node), &bytes)?;
        expected = expected.wrapping_add((place as u32 + 1).wrapping_mul(value));
    }
    probe.device.launch(&Launch {
        module: probe.module(&kernels::ADD)?,
        kernel: "walk".to_owned(),
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
        args: vec![Arg::Buffer { buffer: nodes, offset: at(order[0]) }, out.into()],
        cluster: None,
        cooperative: false,
    })?;
    let mut sum = [0; 4];
    probe.device.read(out, 0, &mut sum)?;
    let sum = u32::from_le_bytes(sum);
    Ok(if sum == expected {
        Finding::good(format!("all {NODES} nodes were found, one by the address in the other"))
    } else {
        Finding::bad(format!("the sum over the list is {sum}, but should be {expected}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_holds_every_node_once_and_is_not_that_in_memory() {
        let mut all = order(5);
        assert!(!all.is_sorted());
        all.sort_unstable();
        assert_eq!(all, (0..NODES).collect::<Vec<_>>());
    }
}
