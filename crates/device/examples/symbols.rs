//! The host's side of symbols, with cudarc's safe layer: what the chapter shows.
//!
//! `cargo run -p device --example symbols` on a machine with an NVIDIA GPU.
#![allow(unsafe_code)]

use cudarc::driver::{CudaContext, DevicePtr, LaunchConfig, PushKernelArg};

/// As floats lie in memory: a symbol is bytes to the driver.
fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    device::Gpu::new(0)?; // says what is missing where there is no GPU
    let data: Vec<f32> = (0..256).map(|i| i as f32 / 256.0).collect();
    let eight = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    // ANCHOR: constant
    let ptx = include_str!("../../../kernels/ch4-4/symbols.ptx");
    let module = context.load_module(ptx.into())?;
    // Found by its name in the PTX; it is as long as the variable, and an offset is the start of a slice.
    let mut symbol = module.get_global("constData", &stream)?;
    stream.memcpy_htod(&bytes(&data), &mut symbol)?;
    stream.memcpy_htod(&bytes(&eight), &mut symbol.slice_mut(4 * 40..4 * 48))?;
    let found = stream.clone_dtoh(&symbol)?;
    // ANCHOR_END: constant
    // ANCHOR: variables
    let value = 2.5f32;
    stream.memcpy_htod(&bytes(&[value]), &mut module.get_global("devData", &stream)?)?;

    let pointed = stream.clone_htod(&bytes(&data))?;
    let address: u64 = pointed.device_ptr(&stream).0;
    stream.memcpy_htod(&address.to_le_bytes(), &mut module.get_global("devPointer", &stream)?)?;
    // ANCHOR_END: variables
    // ANCHOR: device
    // 64 values from device memory, from its element 32 on, to elements 100 to 163: the host only asks for it.
    stream.memcpy_dtod(&pointed.slice(4 * 32..4 * 96), &mut symbol.slice_mut(4 * 100..4 * 164))?;
    // ANCHOR_END: device
    let mut out = stream.alloc_zeros::<f32>(1000)?;
    let kernel = module.load_function("use_symbols")?;
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&mut out).arg(&1000i32);
    // SAFETY: the arguments are those of the kernel, and `out` is as long as it says.
    unsafe {
        launch.launch(LaunchConfig { grid_dim: (4, 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 })
    }?;
    let out = stream.clone_dtoh(&out)?;
    // ANCHOR: refused
    let past = symbol.try_slice_mut(4 * 252..4 * 260); // 4 floats too far: there is no such slice
    let none = module.get_global("constdata", &stream); // no symbol at all
    println!("{}, {:?}", past.is_none(), none.err());
    // ANCHOR_END: refused
    println!("out[41] = {}, out[110] = {}, {} bytes", out[41], out[110], found.len());
    Ok(())
}
