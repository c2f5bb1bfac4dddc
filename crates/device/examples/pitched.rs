//! The host's side of pitched and 3D memory, with this crate's safe calls over cudarc's `sys` layer: what the chapter
//! shows. cudarc's own safe layer has no such allocation.
//!
//! `cargo run -p device --example pitched` prints what the source's program prints. Without a GPU it runs on the embedded
//! device.

use device::{Device, Embedded, Extent, Gpu, Launch, Region};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut device: Box<dyn Device> = match Gpu::new(0) {
        Ok(gpu) => Box::new(gpu),
        Err(error) => {
            eprintln!("{error}");
            Box::new(Embedded::new("h200")?)
        }
    };
    // ANCHOR: pitches
    for floats in [15, 128, 255] {
        let pitched = device.allocate_pitched(4 * floats, 15, 4)?; // cudaMallocPitch
        println!("{}", pitched.pitch);
        device.free(pitched.buffer)?;
    }
    for floats in [15, 128, 255] {
        let extent = Extent { width: 4 * floats, height: 15, depth: 3 };
        let rows = extent.height * extent.depth; // cudaMalloc3D: all rows of all slices
        let pitched = device.allocate_pitched(extent.width, rows, 4)?;
        println!("{} {} {}", pitched.pitch, extent.width, extent.height);
        device.free(pitched.buffer)?;
    }
    // ANCHOR_END: pitches

    let module = device.load("rows.ptx", include_str!("../../../kernels/ch4-2/rows.ptx"))?;
    // ANCHOR: copies
    let (width, height) = (15_u64, 15_u64);
    let values = (0..width * height).map(|i| i as f32);
    let host: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
    let extent = Extent { width: 4 * width, height, depth: 1 };
    let packed = Region::packed(extent); // how the host's rows lie
    let [from, to] = [
        device.allocate_pitched(extent.width, height, 4)?,
        device.allocate_pitched(extent.width, height, 4)?,
    ];

    // cudaMemcpy2D; with a depth above 1 it is cudaMemcpy3D
    device.write_3d(from.buffer, from.region(height), &host, packed, extent)?;
    device.launch(&Launch {
        module,
        kernel: "scale".to_owned(),
        grid: [1, 2, 1],
        block: [32, 8, 1],
        shared_bytes: 0,
        args: vec![
            from.buffer.into(),
            device::Arg::U64(from.pitch),
            to.buffer.into(),
            device::Arg::U64(to.pitch),
            device::Arg::I32(width as i32),
            device::Arg::I32(height as i32),
        ],
        cluster: None,
        cooperative: false,
    })?;
    let mut doubled = vec![0; host.len()];
    device.read_3d(to.buffer, to.region(height), &mut doubled, packed, extent)?;
    // ANCHOR_END: copies
    let last = doubled.last_chunk().map(|bytes| f32::from_le_bytes(*bytes));
    println!("the last element: {last:?}");
    device.free(from.buffer)?;
    device.free(to.buffer)?;
    Ok(())
}
