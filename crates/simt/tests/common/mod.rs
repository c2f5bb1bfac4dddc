//! A device with one module, and launches by a line.
#![allow(clippy::unwrap_used, dead_code, missing_docs, unreachable_pub)]

use simt::{Arg, Buffer, Chip, Counters, Device, Error, Launch, ModuleId, Outcome, Space, Trace};
use std::collections::BTreeSet;

pub struct Bench {
    pub device: Device,
    pub module: ModuleId,
}

/// A module of one kernel `k` with parameters `p0`, `p1`, … (u64 each) and a few registers of every kind.
pub fn kernel(parameters: usize, body: &str) -> String {
    let parameters: Vec<String> = (0..parameters).map(|n| format!(".param .u64 p{n}")).collect();
    format!(
        r"
            .version 8.8
            .target sm_52
            .address_size 64
            .visible .entry k({})
            {{
                .reg .pred %p<8>;
                .reg .b32 %r<16>;
                .reg .f32 %f<16>;
                .reg .b64 %rd<16>;
                {body}
            }}
        ",
        parameters.join(", ")
    )
}

impl Bench {
    /// With the kernel `k` decoded, where there is one.
    pub fn try_new(ptx: &str) -> Result<Bench, Error> {
        let mut device = Device::new(Chip::by_name("h200").unwrap());
        let module = device.load("test.ptx", ptx)?;
        match device.prepare(module, "k") {
            Ok(()) | Err(Error::MissingKernel { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(Bench { device, module })
    }

    pub fn new(ptx: &str) -> Bench {
        Bench::try_new(ptx).unwrap()
    }

    pub fn words(&mut self, words: &[u32]) -> Buffer {
        let buffer = self.device.allocate(words.len() as u64 * 4).unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.device.write(buffer, 0, &bytes).unwrap();
        buffer
    }

    pub fn read(&self, buffer: Buffer, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; count * 4];
        self.device.read(buffer, 0, &mut bytes).unwrap();
        bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect()
    }

    pub fn launch(&mut self, grid: u32, block: u32, args: &[Buffer]) -> Result<Counters, Error> {
        self.launch_with(grid, block, 0, args.iter().map(|b| Arg::Buffer(*b, 0)).collect())
    }

    pub fn launch_with(
        &mut self,
        grid: u32,
        block: u32,
        shared_bytes: u32,
        args: Vec<Arg>,
    ) -> Result<Counters, Error> {
        let launch = Launch {
            module: self.module,
            kernel: "k",
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes,
            args,
            cluster: None,
            cooperative: false,
        };
        self.device.launch(&launch).map(|outcome| outcome.counters)
    }
}

/// All fetches of textures.
pub const FETCHES: Trace = Trace { block: None, warps: u32::MAX, space: Some(Space::Texture), most: 1 << 16 };

/// Says how many fetches a launch has noted, whose counted sectors and requests follow from the texels of their lanes.
pub fn explained(outcome: &Outcome) -> usize {
    for access in &outcome.accesses {
        let fetch = access.fetch.as_ref().unwrap();
        let [wide, high] = [fetch.sector[0] / access.bytes, fetch.sector[1]];
        let groups = fetch.lanes.chunk_by(|a, b| a.lane / fetch.together == b.lane / fetch.together);
        let sectors = groups.map(|lanes| {
            let texels = lanes.iter().flat_map(|one| &one.texels);
            texels.map(|[x, y, z, level]| [x / wide, y / high, *z, *level]).collect::<BTreeSet<_>>().len()
                as u64
        });
        let found = sectors.sum::<u64>() * u64::from(fetch.passes);
        let requests =
            fetch.lanes.chunk_by(|a, b| a.lane / fetch.request == b.lane / fetch.request).count() as u64;
        let cost = &access.cost;
        assert_eq!((found, requests), (cost.texture_sectors, cost.texture_requests), "{access:?}");
    }
    outcome.accesses.len()
}

/// The address of this thread's word of the array in `p0`, in `%rd1`; its index in the grid in `%r1`.
pub const OWN_WORD: &str = r"
    ld.param.u64 %rd0, [p0];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r1, %r2, %r3, %r4;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd0, %rd2;
";
