//! The GPU device against a real GPU, and, where there is none, what it says then.

// clippy knows that tests may unwrap, but not that their helpers may.
#![allow(clippy::unwrap_used)]

use crate::common;
use device::{
    Arg, Buffer, Device, Direction, Error, Gpu, HostMemory, Kind, Launch, Mistake, Module, Step, Transfer,
};

/// Made by hand, so that a reader sees all that a launch needs.
///
/// ```c
/// __constant__ float scale[2] = {1, 0}; __device__ unsigned count; __global__ void saxpy(float *y, const float *x,
/// float a, int n) { int i = …; if (i < n) y[i] += scale[0] * a * x[i]; } __global__ void first(struct { char low; long
/// long high; } s, long long *out) { *out = s.high + s.low; } __global__ void dynamic(unsigned *out, unsigned words) {
/// extern __shared__ unsigned s[]; s[words - 1] = 42; *out = s[words - 1]; }
/// ```
const PTX: &str = r"
.version 8.0
.target sm_52
.address_size 64
.const .align 4 .f32 scale[2] = {0f3F800000, 0f00000000};
.visible .global .align 4 .u32 count;
.extern .shared .align 4 .b8 smem[];

.visible .entry saxpy(.param .u64 y, .param .u64 x, .param .f32 a, .param .u32 n)
{
    .reg .pred %p; .reg .b32 %r<5>; .reg .b64 %rd<6>; .reg .f32 %f<6>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    ld.param.u32 %r1, [n];
    setp.ge.s32 %p, %r4, %r1;
    @%p bra DONE;
    ld.param.u64 %rd1, [y]; ld.param.u64 %rd2, [x]; ld.param.f32 %f1, [a];
    mul.wide.s32 %rd3, %r4, 4;
    add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5];
    ld.const.f32 %f4, [scale];
    mul.f32 %f5, %f4, %f1;
    fma.rn.f32 %f2, %f5, %f3, %f2;
    st.global.f32 [%rd4], %f2;
DONE:
    ret;
}

.visible .entry first(.param .align 8 .b8 s[16], .param .u64 out)
{
    .reg .b64 %rd<4>;
    ld.param.s8 %rd1, [s]; ld.param.u64 %rd2, [s+8]; ld.param.u64 %rd3, [out];
    add.s64 %rd1, %rd1, %rd2;
    st.global.u64 [%rd3], %rd1;
    ret;
}

.visible .entry dynamic(.param .u64 out, .param .u32 words)
{
    .reg .b32 %r<4>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [words];
    mov.u32 %r2, smem;
    mad.lo.u32 %r2, %r1, 4, %r2;
    mov.u32 %r3, 42;
    st.shared.u32 [%r2+-4], %r3;
    ld.shared.u32 %r3, [%r2+-4];
    st.global.u32 [%rd1], %r3;
    ret;
}
";

fn opened() -> (Gpu, Module) {
    let mut gpu = Gpu::new(0).unwrap();
    let module = gpu.load("test.ptx", PTX).unwrap();
    (gpu, module)
}

fn launch(module: Module, kernel: &str, grid: u32, block: u32, args: Vec<Arg>) -> Launch {
    Launch {
        module,
        kernel: kernel.to_owned(),
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative: false,
    }
}

fn floats(gpu: &mut Gpu, values: &[f32]) -> Buffer {
    let bytes: Vec<u8> = values.iter().flat_map(|it| it.to_ne_bytes()).collect();
    let buffer = gpu.allocate(bytes.len() as u64).unwrap();
    gpu.write(buffer, 0, &bytes).unwrap();
    buffer
}

fn read<const BYTES: usize>(gpu: &mut Gpu, buffer: Buffer, offset: u64) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    gpu.read(buffer, offset, &mut bytes).unwrap();
    bytes
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn it_describes_itself() {
    let gpu = Gpu::new(0).unwrap();
    let it = gpu.description();
    eprintln!("{it:?}");
    assert!(it.compute_capability >= (5, 0) && it.multiprocessors > 0 && it.memory_bytes > 1 << 30);
    let Kind::Gpu { driver } = &it.kind else { panic!("{:?}", it.kind) };
    assert!(driver.split_once('.').unwrap().0.parse::<u32>().unwrap() >= 12, "{driver}");
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn a_number_without_a_gpu_is_refused() {
    let error = Gpu::new(4711).err().unwrap();
    assert!(matches!(&error, Error::NoGpu { reason } if reason.contains("4711")), "{error}");
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn what_is_written_or_filled_is_read_back() {
    let mut gpu = Gpu::new(0).unwrap();
    let buffer = gpu.allocate(12).unwrap();
    gpu.fill(buffer, 0x0403_0201).unwrap();
    gpu.write(buffer, 5, &[9, 8]).unwrap();
    assert_eq!(read(&mut gpu, buffer, 0), [1, 2, 3, 4, 1, 9, 8, 4, 1, 2, 3, 4]);
    assert_eq!(read(&mut gpu, buffer, 10), [3, 4]);

    let odd = gpu.allocate(6).unwrap();
    assert!(gpu.fill(odd, 0).unwrap_err().to_string().contains("not a multiple of 4"));
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn nothing_can_be_allocated_copied_and_filled() {
    let mut gpu = Gpu::new(0).unwrap();
    let buffer = gpu.allocate(0).unwrap();
    assert_eq!(buffer.bytes(), 0);
    gpu.write(buffer, 0, &[]).unwrap();
    gpu.read(buffer, 0, &mut []).unwrap();
    gpu.fill(buffer, 1).unwrap();
    assert!(matches!(gpu.write(buffer, 0, &[1]), Err(Error::Simt(simt::Error::OutOfRange { .. }))));
    gpu.free(buffer).unwrap();
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn copies_stay_inside() {
    let (mut gpu, module) = opened();
    let buffer = gpu.allocate(8).unwrap();
    for offset in [1, 9, u64::MAX] {
        assert!(matches!(
            gpu.write(buffer, offset, &[0; 8]),
            Err(Error::Simt(simt::Error::OutOfRange { bytes: 8, .. }))
        ));
        assert!(matches!(
            gpu.read(buffer, offset, &mut [0; 8]),
            Err(Error::Simt(simt::Error::OutOfRange { bytes: 8, .. }))
        ));
        let error = gpu.write_symbol(module, "scale", offset, &[0; 8]).unwrap_err();
        assert!(matches!(error, Error::Simt(simt::Error::OutOfRange { bytes: 8, .. })), "{error}");
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn too_much_memory_says_how_much_is_free() {
    let mut gpu = Gpu::new(0).unwrap();
    for asked in [1 << 50, u64::MAX] {
        let error = gpu.allocate(asked).unwrap_err();
        assert!(matches!(error, Error::Simt(simt::Error::OutOfMemory { free, .. }) if free > 0), "{error}");
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn freed_and_foreign_handles_are_refused() {
    let (mut gpu, module) = opened();
    let (mut other, _) = opened();
    let buffer = gpu.allocate(4).unwrap();
    assert!(matches!(other.free(buffer), Err(Error::Simt(simt::Error::ForeignHandle("buffer")))));
    assert!(matches!(other.write(buffer, 0, &[0]), Err(Error::Simt(simt::Error::ForeignHandle("buffer")))));
    assert!(matches!(
        other.launch(&launch(module, "wild", 1, 1, vec![])),
        Err(Error::Simt(simt::Error::ForeignHandle("module")))
    ));
    assert!(matches!(
        other.write_symbol(module, "scale", 0, &[]),
        Err(Error::Simt(simt::Error::ForeignHandle("module")))
    ));
    gpu.free(buffer).unwrap();
    assert!(matches!(gpu.free(buffer), Err(Error::Simt(simt::Error::Freed))));
    let run = launch(module, "saxpy", 1, 1, vec![buffer.into()]);
    assert!(matches!(gpu.launch(&run), Err(Error::Simt(simt::Error::Freed))));
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn a_kernel_computes_with_a_symbol_and_an_offset() {
    let (mut gpu, module) = opened();
    let (x, y) = (floats(&mut gpu, &[1.0; 101]), floats(&mut gpu, &[5.0; 100]));
    gpu.write_symbol(module, "scale", 0, &10_f32.to_ne_bytes()).unwrap();
    let x = Arg::Buffer { buffer: x, offset: 4 };
    let run = launch(module, "saxpy", 4, 32, vec![y.into(), x, Arg::F32(2.0), Arg::I32(100)]);
    assert!(gpu.launch(&run).unwrap().is_none());
    let bytes: [u8; 400] = read(&mut gpu, y, 0);
    for value in bytes.chunks(4) {
        assert_eq!(f32::from_ne_bytes(value.try_into().unwrap()), 25.0);
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn a_struct_is_passed_by_value() {
    let (mut gpu, module) = opened();
    let out = gpu.allocate(8).unwrap();
    let mut bytes = vec![7_u8, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend((1_i64 << 40).to_ne_bytes());
    gpu.launch(&launch(module, "first", 1, 1, vec![Arg::Bytes(bytes), out.into()])).unwrap();
    assert_eq!(i64::from_ne_bytes(read(&mut gpu, out, 0)), (1 << 40) + 7);
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn dynamic_shared_memory_may_exceed_48_kib_and_not_the_gpus() {
    let (mut gpu, module) = opened();
    let out = gpu.allocate(4).unwrap();
    let run = |bytes: u32| Launch {
        shared_bytes: bytes,
        ..launch(module, "dynamic", 1, 1, vec![out.into(), Arg::U32(bytes / 4)])
    };
    gpu.launch(&run(32 << 10)).unwrap();
    if gpu.description().compute_capability >= (7, 0) {
        gpu.launch(&run(64 << 10)).unwrap();
    }
    assert_eq!(u32::from_ne_bytes(read(&mut gpu, out, 0)), 42);
    let error = gpu.launch(&run(1 << 20)).unwrap_err();
    assert!(error.to_string().contains("shared memory"), "{error}");
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn arguments_that_do_not_fit_are_refused_with_the_kernels_name() {
    let (mut gpu, module) = opened();
    let buffer = gpu.allocate(8).unwrap();
    let args: [Vec<Arg>; 3] = [
        vec![],
        vec![buffer.into(), buffer.into(), Arg::F64(1.0), Arg::I32(1)],
        vec![buffer.into(), buffer.into(), Arg::F32(1.0), Arg::I32(1), Arg::I32(1)],
    ];
    for args in args {
        let error = gpu.launch(&launch(module, "saxpy", 1, 1, args)).unwrap_err();
        assert!(error.to_string().contains("saxpy") && error.to_string().contains("argument"), "{error}");
    }
    assert!(!gpu.time(&[launch(module, "saxpy", 1, 1, vec![]).into()], 1).unwrap_err().is_fault());
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn shapes_that_no_gpu_allows_are_refused() {
    let (mut gpu, module) = opened();
    for (grid, block) in
        [([0, 1, 1], [1, 1, 1]), ([1, 1, 1], [0, 1, 1]), ([1, 1, 1], [1024, 2, 1]), ([1, 1 << 20, 1], [1; 3])]
    {
        let run = Launch { grid, block, ..launch(module, "dynamic", 1, 1, vec![]) };
        let error = gpu.launch(&run).unwrap_err();
        assert!(error.to_string().contains("dynamic"), "{error}");
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn a_missing_name_lists_those_there_are() {
    let (mut gpu, module) = opened();
    for name in ["nope", "", "a\0b"] {
        match gpu.launch(&launch(module, name, 1, 1, vec![])).unwrap_err() {
            Error::Simt(simt::Error::MissingKernel { mut there, .. }) => {
                there.sort();
                assert_eq!(there, ["dynamic", "first", "saxpy"]);
            }
            error => panic!("{error}"),
        }
        match gpu.write_symbol(module, name, 0, &[]).unwrap_err() {
            Error::Simt(simt::Error::MissingSymbol { there, .. }) => assert_eq!(there, ["scale", "count"]),
            error => panic!("{error}"),
        }
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn ptx_that_ptxas_refuses_is_an_error_with_its_words_and_line() {
    let mut gpu = Gpu::new(0).unwrap();
    let wrong = PTX.replace("mul.f32 %f5, %f4, %f1;", "mul.f32 %f5, %f4, %undefined;");
    let error = gpu.load("wrong.ptx", &wrong).unwrap_err().to_string();
    eprintln!("{error}");
    let line = 1 + wrong.lines().position(|line| line.contains("undefined")).unwrap();
    assert!(error.contains("undefined") && error.contains(&format!("wrong.ptx:{line}")), "{error}");
    for text in ["", "int main() {}", "\x7fELF\x02 .version", "\0.version"] {
        assert!(gpu.load("wrong.ptx", text).unwrap_err().to_string().contains("wrong.ptx"));
    }
    let newer = PTX.replace(".version 8.0", ".version 99.0");
    let error = gpu.load("newer.ptx", &newer).unwrap_err().to_string();
    eprintln!("{error}");
    assert!(error.contains("newer.ptx"), "{error}");
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn the_blocks_of_a_cooperative_launch_must_have_room() {
    let (mut gpu, module) = opened();
    let buffer = gpu.allocate(4).unwrap();
    let args = vec![buffer.into(), buffer.into(), Arg::F32(1.0), Arg::U32(0)];
    let run = |grid| Launch { cooperative: true, ..launch(module, "saxpy", grid, 256, args.clone()) };
    gpu.launch(&run(gpu.description().multiprocessors)).unwrap();
    let error = gpu.launch(&run(1 << 20)).unwrap_err().to_string();
    assert!(error.contains("1048576 blocks in a cooperative launch"), "{error}");
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn a_multiprocessor_holds_more_blocks_of_fewer_threads() {
    let (mut gpu, module) = opened();
    let buffer = gpu.allocate(4).unwrap();
    let args = vec![buffer.into(), buffer.into(), Arg::F32(1.0), Arg::U32(0)];
    let mut held = |threads| {
        gpu.resident_blocks(&launch(module, "saxpy", 1, threads, args.clone())).unwrap().unwrap_or(0)
    };
    let (few, many) = (held(1024), held(256));
    assert!(few >= 1 && many >= 4 * few, "{few} blocks of 1024 threads, {many} of 256");
    assert!(gpu.resident_blocks(&launch(module, "saxpy", 1, 2048, args)).is_err());
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn times_are_those_of_the_kernel() {
    let (mut gpu, module) = opened();
    const N: u32 = 1 << 24;
    let buffer = gpu.allocate(u64::from(N) * 4).unwrap();
    gpu.fill(buffer, 0).unwrap();
    let args = vec![buffer.into(), buffer.into(), Arg::F32(1.0), Arg::U32(N)];
    let run = [launch(module, "saxpy", N / 256, 256, args).into()];
    assert_eq!(gpu.time(&run, 0).unwrap(), []);
    let mut times = gpu.time(&run, 600).unwrap();
    assert_eq!(times.len(), 600);
    eprintln!("the first: {:?}", &times[..4]);
    times.sort_by(f64::total_cmp);
    eprintln!("2^24 elements: {} to {} ns, median {}", times[0], times[599], times[300]);
    // 128 MiB moved: no GPU needs under 5 µs, and none that runs this over 50 ms.
    assert!(times[300] > 5e3 && times[300] < 5e7);
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn rows_and_slices_go_to_their_places_and_leave_what_lies_between() {
    common::rows_and_slices(&mut Gpu::new(0).unwrap());
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn misuse_is_refused_in_the_words_of_the_embedded_device() {
    common::misuse(&mut Gpu::new(0).unwrap());
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn symbols_are_written_and_read_without_the_host() {
    common::symbols(&mut Gpu::new(0).unwrap());
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn a_struct_with_a_pointer_is_an_argument() {
    common::struct_argument(&mut Gpu::new(0).unwrap());
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn the_pitches_are_those_that_were_measured() {
    let mut gpu = Gpu::new(0).unwrap();
    for line in include_str!("pitches.csv").lines().skip(2) {
        let run: Vec<u64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        for width in &run[..2] {
            let pitched = gpu.allocate_pitched(*width, 15, 4).unwrap();
            assert_eq!((pitched.pitch, pitched.buffer.bytes()), (run[2], run[2] * 15), "{width} bytes");
            gpu.free(pitched.buffer).unwrap();
        }
    }
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn the_time_of_a_sequence_is_that_of_all_its_steps() {
    let (mut gpu, module) = opened();
    const BYTES: u64 = 1 << 28;
    let [a, b] = [(); 2].map(|()| gpu.allocate(BYTES).unwrap());
    gpu.fill(a, 0).unwrap();
    let copy = Step::Copy { to: b, to_offset: 0, from: a, from_offset: 0, bytes: BYTES };
    let n = (BYTES / 4) as u32;
    let saxpy = launch(module, "saxpy", n / 256, 256, vec![a.into(), b.into(), Arg::F32(1.0), Arg::U32(n)]);
    // The shortest of many: other tests use the GPU at the same time, and its clocks rise with the first launches.
    let mut shortest = |steps: &[Step]| {
        let times = gpu.time(steps, 21).unwrap();
        assert_eq!(times.len(), 21);
        times.into_iter().fold(f64::INFINITY, f64::min)
    };
    let (first, second, both) = ([copy.clone()], [saxpy.clone().into()], [copy, saxpy.into()]);
    let mut least = [f64::INFINITY; 3];
    for _ in 0..10 {
        for (least, steps) in least.iter_mut().zip([&first[..], &second, &both]) {
            *least = least.min(shortest(steps));
        }
    }
    let [copy, saxpy, both] = least;
    eprintln!("copy {copy} ns, saxpy {saxpy} ns, one after the other {both} ns");
    let sum = copy + saxpy;
    assert!((0.8 * sum..1.2 * sum).contains(&both));
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn transfers_and_allocations_are_timed() {
    let mut gpu = Gpu::new(0).unwrap();
    for direction in [Direction::ToDevice, Direction::ToHost] {
        for memory in [HostMemory::Pageable, HostMemory::Pinned] {
            let transfer = Transfer { direction, memory, bytes: 1 << 24 };
            let times = gpu.time_transfer(&transfer, None, 9).unwrap();
            assert!(times.iter().all(|time| time.returned_ns.unwrap() <= time.arrived_ns));
            let mut times: Vec<f64> = times.iter().map(|time| time.arrived_ns).collect();
            assert_eq!(times.len(), 9);
            times.sort_by(f64::total_cmp);
            eprintln!("{transfer:?}: {} GB/s", (1u64 << 24) as f64 / times[4]);
            // Between a link of PCI Express 1 with 4 lanes and a faster one than exists.
            assert!((0.5..1000.0).contains(&((1u64 << 24) as f64 / times[4])), "{times:?}");
        }
    }
    let times = gpu.time_allocation(1 << 20, 5).unwrap().unwrap();
    eprintln!("to allocate and to free 1 MiB: {times:?}");
    assert!(times.len() == 5 && times.iter().flatten().all(|ns| (10.0..1e9).contains(ns)));
}

#[test]
#[ignore = "needs an NVIDIA GPU; run scripts/test-gpu"]
fn the_driver_answers_mistakes_and_goes_on() {
    let mut gpu = Gpu::new(0).unwrap();
    let mut answer = |mistake| {
        let answer = gpu.provoke(mistake).unwrap();
        eprintln!("{mistake:?}: {answer}");
        answer
    };
    assert!(answer(Mistake::DoubleFree).starts_with("CUDA_ERROR_INVALID_VALUE"));
    assert!(answer(Mistake::OutOfMemory).starts_with("CUDA_ERROR_OUT_OF_MEMORY"));
    assert!(answer(Mistake::WrongDirection(HostMemory::Pageable)).starts_with("CUDA_ERROR_INVALID_VALUE"));
    // Pinned memory has an address that the device knows too, so the driver copies.
    let answer = answer(Mistake::WrongDirection(HostMemory::Pinned));
    assert_eq!(answer, "no error: the device's bytes are in the host's memory");
    let buffer = gpu.allocate(4).unwrap();
    gpu.fill(buffer, 7).unwrap();
    assert_eq!(read(&mut gpu, buffer, 0), [7, 0, 0, 0]);
}
