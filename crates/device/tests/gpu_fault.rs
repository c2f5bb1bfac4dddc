//! A kernel that faults on a real GPU. In a separate process, which cannot use the GPU afterwards.

use device::{Arg, Device, Error, Gpu, Launch};

const PTX: &str = r"
.version 8.0
.target sm_52
.address_size 64
.visible .entry wild(.param .u64 p)
{
    .reg .b32 %r<2>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p]; mov.u32 %r1, 1;
    st.global.u32 [%rd1+4096], %r1;
    ret;
}
";

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn a_fault_names_the_kernel_and_ends_the_gpu_for_this_process() {
    let mut gpu = Gpu::new(0).unwrap();
    let module = gpu.load("fault.ptx", PTX).unwrap();
    let buffer = gpu.allocate(8192).unwrap();
    let run = |module, arg| Launch {
        module,
        kernel: "wild".to_owned(),
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
        args: vec![arg],
        cluster: None,
        cooperative: false,
    };
    gpu.launch(&run(module, buffer.into())).unwrap();
    let mut word = [0; 4];
    gpu.read(buffer, 4096, &mut word).unwrap();
    assert_eq!(word, [1, 0, 0, 0]);

    let error = gpu.launch(&run(module, Arg::U64(0))).unwrap_err().to_string();
    eprintln!("{error}");
    assert!(error.contains("wild") && error.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), "{error}");
    let error = gpu.allocate(4).unwrap_err().to_string();
    eprintln!("{error}");
    assert!(error.contains("wild") && error.contains("start the program again"), "{error}");
    drop(gpu);
    let error = Gpu::new(0).err().unwrap();
    eprintln!("{error}");
    assert!(matches!(error, Error::NoGpu { .. }));
}
