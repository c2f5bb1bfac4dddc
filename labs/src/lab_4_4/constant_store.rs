//! A constant that a kernel writes. PTX has no store to constant memory, but a constant has an address in global memory, and
//! a store to that is not refused.

use crate::plan::{Attempt, Finding, Plan, Probe};
use anyhow::Result;
use device::{Arg, Buffer, Device, Launch, Module};

/// The check's id, which claims are judged by.
pub(super) const ID: &str = "symbols/kernel-writes-a-constant";

/// One warp each: `put` stores through the address; `look` loads by the constant path; `again` loads, stores and loads once
/// more, the last time by both paths and from an index that comes from memory, so that no load can be left out.
const PTX: &str = "\
.version 8.0
.target sm_52
.address_size 64
.const .align 4 .b8 table[128];
.visible .entry put(.param .u32 value)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<4>;
	ld.param.u32 %r1, [value];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd1, %r2, 4;
	mov.u64 %rd2, table;
	cvta.const.u64 %rd2, %rd2;
	add.s64 %rd3, %rd2, %rd1;
	add.u32 %r1, %r1, %r2;
	st.volatile.u32 [%rd3], %r1;
	ret;
}
.visible .entry look(.param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	mov.u64 %rd3, table;
	add.s64 %rd4, %rd3, %rd2;
	ld.const.u32 %r2, [%rd4];
	add.s64 %rd5, %rd1, %rd2;
	st.global.u32 [%rd5], %r2;
	ret;
}
.visible .entry again(.param .u64 out, .param .u64 zero, .param .u32 value)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<12>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [zero];
	ld.param.u32 %r1, [value];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd3, %r2, 4;
	mov.u64 %rd4, table;
	add.s64 %rd5, %rd4, %rd3;
	ld.const.u32 %r3, [%rd5];
	add.s64 %rd6, %rd1, %rd3;
	st.volatile.global.u32 [%rd6], %r3;
	cvta.const.u64 %rd7, %rd4;
	add.s64 %rd8, %rd7, %rd3;
	add.u32 %r1, %r1, %r2;
	st.volatile.u32 [%rd8], %r1;
	membar.sys;
	bar.sync 0;
	ld.volatile.global.u32 %r4, [%rd2];
	cvt.u64.u32 %rd9, %r4;
	add.s64 %rd10, %rd5, %rd9;
	ld.const.u32 %r5, [%rd10];
	st.volatile.global.u32 [%rd6+128], %r5;
	add.s64 %rd11, %rd8, %rd9;
	ld.volatile.u32 %r6, [%rd11];
	st.volatile.global.u32 [%rd6+256], %r6;
	ret;
}
";

const LANES: u32 = 32;
/// First elements of the array: as the host writes it, as `put` does, as `again` does; each next one is one more.
const HOST: u32 = 1000;
const PUT: u32 = 2000;
const AGAIN: u32 = 3000;

/// Adds the attempt; the last of a plan, since a device that refused the store would end its work there.
pub(super) fn plan(plan: &mut Plan) {
    plan.attempts.push(Attempt::new(
        ID,
        "a kernel's store through a constant's address is made: the next launch and the host find what it wrote",
        write,
    ));
}

/// The array from its first element.
fn array(first: u32) -> Vec<u32> {
    (first..first + LANES).collect()
}

fn launch(device: &mut dyn Device, module: Module, kernel: &str, args: Vec<Arg>) -> Result<()> {
    device.launch(&Launch {
        module,
        kernel: kernel.to_owned(),
        grid: [1; 3],
        block: [LANES, 1, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative: false,
    })?;
    Ok(())
}

fn read(device: &mut dyn Device, buffer: Buffer, offset: u64) -> Result<Vec<u32>> {
    let mut words = vec![0u32; LANES as usize];
    device.read(buffer, offset, bytemuck::cast_slice_mut(&mut words))?;
    Ok(words)
}

fn write(probe: &mut Probe<'_>) -> Result<Finding> {
    let device = &mut *probe.device;
    let module = device.load("written.ptx", PTX)?;
    device.write_symbol(module, "table", 0, bytemuck::cast_slice(&array(HOST)))?;
    let out = device.allocate(3 * 4 * u64::from(LANES))?;
    let zero = device.allocate(4)?;
    device.fill(zero, 0)?;
    launch(device, module, "put", vec![Arg::U32(PUT)])?;
    let mut host = vec![0u32; LANES as usize];
    device.read_symbol(module, "table", 0, bytemuck::cast_slice_mut(&mut host))?;
    launch(device, module, "look", vec![out.into()])?;
    let next = read(device, out, 0)?;
    launch(device, module, "again", vec![out.into(), zero.into(), Arg::U32(AGAIN)])?;
    let same = [0, 1, 2].map(|part| read(device, out, part * 4 * u64::from(LANES)));
    let [before, constant, global] = same;
    let (before, constant, global) = (before?, constant?, global?);
    for buffer in [out, zero] {
        device.free(buffer)?;
    }
    Ok(found(&host, &next, [&before, &constant, &global]))
}

/// Values that the host and the next launch found after `put`, and that `again` found: before its store, and after it by the
/// constant path and by that of global memory.
fn found(host: &[u32], next: &[u32], [before, constant, global]: [&[u32]; 3]) -> Finding {
    if [host, next, before].iter().any(|words| *words != array(PUT)) {
        return Finding::bad("the next launch or the host did not find what the kernel wrote");
    }
    let said = |words: &[u32]| match words {
        words if words == array(PUT) => "the old values",
        words if words == array(AGAIN) => "the new ones",
        _ => "old and new ones",
    };
    Finding::good(format!(
        "the next launch and the host find what it wrote; in the same launch a load by the constant path gives {}, one of global memory {}",
        said(constant),
        said(global)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_next_launch_does_not_find_was_not_written() {
        let [host, put, again] = [HOST, PUT, AGAIN].map(array);
        assert!(!found(&put, &host, [&host, &host, &again]).passed);
        let finding = found(&put, &put, [&put, &put, &again]);
        assert!(finding.passed, "{finding:?}");
        assert!(
            finding
                .found
                .ends_with("the constant path gives the old values, one of global memory the new ones")
        );
    }

    #[test]
    fn the_embedded_device_does_as_an_h200_did() -> Result<()> {
        let mut device = device::Embedded::new("h200")?;
        let finding = write(&mut Probe { device: &mut device, modules: &[], buffers: &[] })?;
        assert!(finding.passed, "{finding:?}");
        assert!(
            finding
                .found
                .ends_with("the constant path gives the old values, one of global memory the new ones")
        );
        Ok(())
    }
}
