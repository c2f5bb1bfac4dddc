//! The host's side of the stencil with constant memory, with cudarc's safe layer alone: what the chapter shows.
//!
//! `cargo run -p device --example constant` on a machine with an NVIDIA GPU.
#![allow(unsafe_code)]

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    device::Gpu::new(0)?; // says what is missing where there is no GPU
    let n = 1000usize;
    let input: Vec<f32> = (0..n + 8).map(|i| (i * i % 256) as f32 / 100.0).collect();
    // ANCHOR: host
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let ptx = include_str!("../../../kernels/ch5-5/stencil.ptx");
    let module = context.load_module(ptx.into())?;

    // cudaMemcpyToSymbol: find the variable, then copy to where it lies.
    let coefficients: [f32; 5] = [0.0, 0.8, -0.2, 0.03809, -0.00357];
    let bytes: Vec<u8> = coefficients.iter().flat_map(|c| c.to_le_bytes()).collect();
    let mut coef = module.get_global("coef", &stream)?;
    stream.memcpy_htod(&bytes, &mut coef)?;

    let padded = stream.clone_htod(&input)?; // n + 8 floats: a halo of 4 on both sides
    let mut out = stream.alloc_zeros::<f32>(n + 8)?;
    let kernel = module.load_function("stencil_constant")?;
    let block = 256;
    let shape = LaunchConfig {
        grid_dim: ((n as u32).div_ceil(block), 1, 1),
        block_dim: (block, 1, 1),
        shared_mem_bytes: 4 * (block + 8),
    };
    let (inner, mut result, count) = (padded.slice(4..), out.slice_mut(4..), n as i32);
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&inner).arg(&mut result).arg(&count);
    // SAFETY: the arguments are the kernel's, and the arrays have the halo that it reads.
    unsafe { launch.launch(shape) }?;
    let out = stream.clone_dtoh(&out)?;
    // ANCHOR_END: host
    println!("out[0] = {}, out[{}] = {}", out[4], n - 1, out[n + 3]);
    Ok(())
}
