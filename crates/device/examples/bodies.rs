//! The host's side of N-body with constant memory, with cudarc's safe layer alone: what the chapter shows.
//!
//! `cargo run -p device --example bodies` on a machine with an NVIDIA GPU.
#![allow(unsafe_code)]

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    device::Gpu::new(0)?; // says what is missing where there is no GPU
    let (n, softening_squared) = (10_000usize, 0.01f32); // two passes of 4,000 and one of 2,000
    let places: Vec<f32> = (0..n)
        .flat_map(|i| [(i as f32).cos(), (2.0 * i as f32).sin(), i as f32 / n as f32, 1.0 / n as f32])
        .collect();
    let bytes: Vec<u8> = places.iter().flat_map(|value| value.to_le_bytes()).collect();
    // ANCHOR: host
    let context = CudaContext::new(0)?;
    let stream = context.new_stream()?;
    let ptx = include_str!("../../../kernels/ch14-4/gravity.ptx");
    let module = context.load_module(ptx.into())?;
    let kernel = module.load_function("gravity_constant")?;
    let bodies = stream.clone_htod(&bytes)?; // 16 bytes a body
    let mut acceleration = stream.alloc_zeros::<f32>(3 * n)?;

    // The symbol is a place in device memory: a copy to it is a copy on the device, in the stream's order.
    let mut symbol = module.get_global("pass_bodies", &stream)?;
    let most = 4000; // bodies in a pass: 64,000 of 65,536 bytes
    for start in (0..n).step_by(most) {
        let in_pass = most.min(n - start);
        stream.memcpy_dtod(&bodies.slice(16 * start..16 * (start + in_pass)), &mut symbol)?;
        let (count, in_pass, first) = (n as i32, in_pass as i32, i32::from(start == 0));
        let mut launch = stream.launch_builder(&kernel);
        launch.arg(&mut acceleration).arg(&bodies).arg(&softening_squared);
        launch.arg(&count).arg(&in_pass).arg(&first);
        // SAFETY: the arguments are those of the kernel, and the arrays are as large as `count` says.
        unsafe { launch.launch(LaunchConfig::for_num_elems(n as u32)) }?;
    }
    let found = stream.clone_dtoh(&acceleration)?;
    stream.synchronize()?; // the host waits once, for the last pass
    // ANCHOR_END: host
    println!("body 0: {} {} {}", found[0], found[1], found[2]);
    Ok(())
}
