//! The host's side of the product on pitched memory, with cudarc: what the chapter shows. Its safe layer knows no pitch, so
//! these calls are the driver's own.
//!
//! `cargo run -p device --example product` on a machine with an NVIDIA GPU.
#![allow(unsafe_code)]

use cudarc::driver::{CudaContext, DeviceRepr, LaunchConfig, PushKernelArg, sys};
use std::mem::MaybeUninit;

// ANCHOR: matrix
/// As the kernel has it: `size_t` and pointers are 64 bits wide.
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
// ANCHOR_END: matrix

fn main() -> Result<(), Box<dyn std::error::Error>> {
    device::Gpu::new(0)?; // says what is missing where there is no GPU
    let (m, n, p) = (100usize, 150usize, 70usize); // no multiples of a block's 16 x 16
    let a: Vec<f32> = (0..m * n).map(|i| (i % 7) as f32 / 8.0).collect();
    let b: Vec<f32> = (0..n * p).map(|i| (i % 5) as f32 / 4.0).collect();
    let mut c = vec![0.0f32; m * p];
    // ANCHOR: host
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let ptx = include_str!("../../../kernels/ch4-3/product.ptx");
    let module = context.load_module(ptx.into())?;

    // cudaMallocPitch, and cudaMalloc3D with one slice, are this one call of the driver. Elements of 16 bytes at most are
    // read with one instruction.
    let allocate = |rows: usize, columns: usize| -> Result<Matrix, cudarc::driver::DriverError> {
        let (mut elements, mut pitch) = (0, 0);
        // SAFETY: both results have a place.
        unsafe { sys::cuMemAllocPitch_v2(&mut elements, &mut pitch, 4 * columns, rows, 16) }.result()?;
        Ok(Matrix { rows: rows as u64, columns: columns as u64, elements, stride: (pitch / 4) as u64 })
    };
    let (a_at, b_at, c_at) = (allocate(m, n)?, allocate(n, p)?, allocate(m, p)?);

    // cudaMemcpy2D: rows without gaps on the host, with gaps on the device.
    for (matrix, values) in [(a_at, &a), (b_at, &b)] {
        let width = 4 * matrix.columns as usize;
        // SAFETY: zeros, as in C's `= {0}`, are what fields that are not named must be.
        let mut copy: sys::CUDA_MEMCPY2D = unsafe { MaybeUninit::zeroed().assume_init() };
        copy.srcMemoryType = sys::CUmemorytype::CU_MEMORYTYPE_HOST;
        copy.srcHost = values.as_ptr().cast();
        copy.srcPitch = width;
        copy.dstMemoryType = sys::CUmemorytype::CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = matrix.elements;
        copy.dstPitch = 4 * matrix.stride as usize;
        copy.WidthInBytes = width;
        copy.Height = matrix.rows as usize;
        // SAFETY: both sides are as large as the copy says.
        unsafe { sys::cuMemcpy2D_v2(&copy) }.result()?;
    }

    let kernel = module.load_function("product")?;
    let (columns, rows) = (p as u32, m as u32);
    let shape = LaunchConfig {
        grid_dim: (columns.div_ceil(16), rows.div_ceil(16), 1), // rounded up: edges are covered
        block_dim: (16, 16, 1),
        shared_mem_bytes: 0,
    };
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&a_at).arg(&b_at).arg(&c_at); // the structures by value, the device's pointers in them
    // SAFETY: the arguments are those of the kernel, and the matrices are as large as they say.
    unsafe { launch.launch(shape) }?;
    stream.synchronize()?;

    // cudaMemcpy3D, of one slice. The heights, in rows, say how far it is to the next.
    // SAFETY: as above.
    let mut copy: sys::CUDA_MEMCPY3D = unsafe { MaybeUninit::zeroed().assume_init() };
    copy.srcMemoryType = sys::CUmemorytype::CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = c_at.elements;
    (copy.srcPitch, copy.srcHeight) = (4 * c_at.stride as usize, m);
    copy.dstMemoryType = sys::CUmemorytype::CU_MEMORYTYPE_HOST;
    copy.dstHost = c.as_mut_ptr().cast();
    (copy.dstPitch, copy.dstHeight) = (4 * p, m);
    (copy.WidthInBytes, copy.Height, copy.Depth) = (4 * p, m, 1);
    // SAFETY: both sides are as large as the copy says.
    unsafe { sys::cuMemcpy3D_v2(&copy) }.result()?;

    for matrix in [a_at, b_at, c_at] {
        // SAFETY: allocated above, and no longer used.
        unsafe { sys::cuMemFree_v2(matrix.elements) }.result()?;
    }
    // ANCHOR_END: host
    let element =
        |row: usize, column: usize| -> f32 { (0..n).map(|k| a[row * n + k] * b[k * p + column]).sum() };
    let right = (0..m * p).all(|at| c[at] == element(at / p, at % p)); // eighths and quarters: nothing is rounded
    println!("a stride of {} for rows of {n}; {}", a_at.stride, if right { "all right" } else { "wrong" });
    if right { Ok(()) } else { Err("the product is wrong".into()) }
}
