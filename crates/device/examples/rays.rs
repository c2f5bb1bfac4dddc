//! The host's side of the ray tracer, with cudarc's safe layer alone: what the chapter shows.
//!
//! `cargo run -p device --example rays` on a machine with an NVIDIA GPU.
#![allow(unsafe_code)]

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg, sys};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    device::Gpu::new(0)?; // says what is missing where there is no GPU
    // Red, green, blue, radius, x, y, z.
    let scene: Vec<f32> = (0..20u8)
        .map(f32::from)
        .flat_map(|i| {
            [i / 20.0, 1.0 - i / 20.0, 0.5, 40.0 + 3.0 * i, 45.0 * i - 430.0, 15.0 * i - 150.0, 9.0 * i]
        })
        .collect();
    // ANCHOR: host
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let ptx = include_str!("../../../kernels/ch6-2/rays.ptx");
    let module = context.load_module(ptx.into())?;

    let (width, height, scale) = (1000, 700, 1.0f32); // need not be multiples of 16
    let mut image = stream.alloc_zeros::<u32>((width * height) as usize)?;
    // cudaMemcpyToSymbol; the variable has room for more spheres than these.
    let bytes: Vec<u8> = scene.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut spheres = module.get_global("spheres", &stream)?;
    stream.memcpy_htod(&bytes, &mut spheres.slice_mut(..bytes.len()))?;

    let kernel = module.load_function("rays_constant_20")?;
    let shape = LaunchConfig {
        grid_dim: ((width as u32).div_ceil(16), (height as u32).div_ceil(16), 1),
        block_dim: (16, 16, 1),
        shared_mem_bytes: 0,
    };
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&mut image).arg(&width).arg(&height).arg(&scale);
    // Events around each launch.
    launch.record_kernel_launch(sys::CUevent_flags::CU_EVENT_DEFAULT);
    // SAFETY: the arguments are the kernel's, and the image has width * height pixels.
    unsafe { launch.launch(shape) }?; // once, to load and to warm up
    let events = unsafe { launch.launch(shape) }?;
    let pixels = stream.clone_dtoh(&image)?;
    let milliseconds = events.map(|(start, stop)| start.elapsed_ms(&stop)).transpose()?;
    // ANCHOR_END: host
    let black = pixels.iter().filter(|&&pixel| pixel == 0xff00_0000).count();
    println!("{milliseconds:?} ms, {black} of {} pixels are black", pixels.len());
    Ok(())
}
