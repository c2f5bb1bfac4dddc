//! The host's side of the product by tiles, with cudarc's safe layer: what the chapter shows.
//!
//! `cargo run -p device --example tiles` on a machine with an NVIDIA GPU.
#![allow(unsafe_code)]

use cudarc::driver::{
    CudaContext, CudaSlice, CudaStream, DevicePtr, DeviceRepr, LaunchConfig, PushKernelArg, sys,
};

/// As the kernel has it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Matrix {
    rows: u64,
    columns: u64,
    elements: sys::CUdeviceptr,
    stride: u64,
}

// SAFETY: plain numbers, laid out as C does.
unsafe impl DeviceRepr for Matrix {}

/// Rows of a whole number of 16 bytes, as the widest loads need them.
fn matrix(slice: &CudaSlice<f32>, rows: usize, columns: usize, stream: &CudaStream) -> Matrix {
    let (elements, _kept) = slice.device_ptr(stream);
    Matrix { rows: rows as u64, columns: columns as u64, elements, stride: columns as u64 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    device::Gpu::new(0)?; // says what is missing where there is no GPU
    let (m, n, p) = (300usize, 200usize, 272usize);
    let a: Vec<f32> = (0..m * n).map(|i| (i % 7) as f32 / 8.0).collect();
    let b: Vec<f32> = (0..n * p).map(|i| (i % 5) as f32 / 4.0).collect();
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let (a_at, b_at, c_at) =
        (stream.clone_htod(&a)?, stream.clone_htod(&b)?, stream.alloc_zeros::<f32>(m * p)?);
    let (a_is, b_is, c_is) =
        (matrix(&a_at, m, n, &stream), matrix(&b_at, n, p, &stream), matrix(&c_at, m, p, &stream));
    // ANCHOR: host
    let ptx = include_str!("../../../kernels/ch4-5/tiles.ptx");
    let module = context.load_module(ptx.into())?;
    let product = |kernel: &str, tile: u32| -> Result<Vec<f32>, cudarc::driver::DriverError> {
        let kernel = module.load_function(kernel)?;
        let shape = LaunchConfig {
            grid_dim: ((p as u32).div_ceil(tile), (m as u32).div_ceil(tile), 1),
            block_dim: (16, 16, 1),
            shared_mem_bytes: 0, // the kernels' tiles are static
        };
        let mut launch = stream.launch_builder(&kernel);
        launch.arg(&a_is).arg(&b_is).arg(&c_is);
        // SAFETY: the arguments are those of the kernel, and the matrices are as large as they say.
        unsafe { launch.launch(shape) }?;
        stream.clone_dtoh(&c_at)
    };
    let c = product("tiled_16", 16)?; // a block's tile is as large as the block
    let d = product("blocked_8", 128)?; // 8 x 8 elements for each thread

    // How many such blocks a multiprocessor has room for.
    let kernel = module.load_function("blocked_8")?;
    let blocks = kernel.occupancy_max_active_blocks_per_multiprocessor(256, 0, None)?;
    // ANCHOR_END: host
    let element =
        |row: usize, column: usize| -> f32 { (0..n).map(|k| a[row * n + k] * b[k * p + column]).sum() };
    let right = (0..m * p).all(|at| [c[at], d[at]] == [element(at / p, at % p); 2]);
    println!("{blocks} blocks of blocked_8 fit; {}", if right { "all right" } else { "wrong" });
    if right { Ok(()) } else { Err("a product is wrong".into()) }
}
