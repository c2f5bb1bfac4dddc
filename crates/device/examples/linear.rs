//! The host's side of the sum of two vectors, with cudarc's safe layer alone: what the chapter shows.
//!
//! `cargo run -p device --example linear` on a machine with an NVIDIA GPU.
#![allow(unsafe_code)]

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    device::Gpu::new(0)?; // says what is missing where there is no GPU
    let n = 1_000_003_usize;
    let host_a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let host_b: Vec<f32> = (0..n).map(|i| (n - i) as f32).collect();
    // ANCHOR: host
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let ptx = include_str!("../../../kernels/ch4-1/add.ptx");
    let module = context.load_module(ptx.into())?;
    let add = module.load_function("add")?;

    let a = stream.clone_htod(&host_a)?; // allocates and copies
    let b = stream.clone_htod(&host_b)?;
    let mut c = stream.alloc_zeros::<f32>(n)?; // the safe layer hands out no memory without values

    let (block, count) = (256, n as i32);
    let shape = LaunchConfig {
        grid_dim: ((n as u32).div_ceil(block), 1, 1),
        block_dim: (block, 1, 1),
        shared_mem_bytes: 0,
    };
    let mut launch = stream.launch_builder(&add);
    launch.arg(&a).arg(&b).arg(&mut c).arg(&count);
    // SAFETY: the arguments are those of the kernel, and each vector has `count` elements.
    unsafe { launch.launch(shape) }?;
    let host_c = stream.clone_dtoh(&c)?; // waits until the bytes are there
    drop((a, b, c)); // frees, once: what was given away cannot be given again
    // ANCHOR_END: host
    println!("c[0] = {}, c[{}] = {}", host_c[0], n - 1, host_c[n - 1]);

    // ANCHOR: pinned
    // SAFETY: written before it is read.
    let mut pinned = unsafe { context.alloc_pinned::<f32>(n)? };
    pinned.as_mut_slice()?.copy_from_slice(&host_a);
    let a = stream.clone_htod(&pinned)?;
    // ANCHOR_END: pinned
    println!("{} elements from pinned memory", a.len());
    Ok(())
}
