//! Mistakes that a kernel's results need not show, in small programs: races in global memory, writes to what the launch reads
//! as read-only, constants that nothing has set, where a NaN comes from. Next to each is a program that is right.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use device::{Checks, Embedded, NotFinite};
use job::{Expected, Job, Report, Settings, run};

/// Runs `kernel` of a source on a buffer `a` of 256 floats, 1.0, 2.0 and so on, a buffer `b` of as many zeros, and `n = 256`;
/// `more` is added to the job. It has the last check where `nan` is set.
fn run_with(source: &str, kernel: &str, [grid, block]: [u32; 2], more: &str, nan: bool) -> Report {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), source).unwrap();
    let text = format!(
        "module = \"k.cu\"\n{more}\n\
         [[buffer]]\nname = \"a\"\ntype = \"f32\"\nlen = 256\ninit = {{ iota = 1 }}\n\
         [[buffer]]\nname = \"b\"\ntype = \"f32\"\nlen = 256\ninit = {{ fill = 0 }}\n\
         [[launch]]\nkernel = \"{kernel}\"\ngrid = {grid}\nblock = {block}\n\
         args = [{{ buffer = \"a\" }}, {{ buffer = \"b\" }}, {{ i32 = 256 }}]\n\
         [[output]]\nbuffer = \"b\"\n"
    );
    let job = Job::parse(&folder.path().join("job.toml"), &text, Expected::Compare).unwrap();
    let mut device = Embedded::new("h200").unwrap();
    device.options().checks = Checks { not_finite: nan, ..Checks::ALL };
    run(&job, &mut device, &Settings { finite: nan, ..Settings::default() }, &mut |_| {})
}

/// The kind of a run's fault with its line, and its message; nothing where it has none.
fn fault(source: &str, kernel: &str, shape: [u32; 2], more: &str) -> Option<(&'static str, u32, String)> {
    let report = run_with(source, kernel, shape, more, false);
    let fault = report.fault();
    assert!(fault.is_some() || report.error.is_none(), "{kernel}: {report}");
    fault.map(reported)
}

/// The kind of a fault with its line, and its message.
fn reported(fault: job::Fault) -> (&'static str, u32, String) {
    // Without the folder, which is another one each time.
    let short = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let message = fault.message.split(' ').map(short).collect::<Vec<_>>().join(" ");
    (fault.kind, fault.line.unwrap(), message)
}

const RACES: &str = r"
__global__ void sum(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *b += a[i];
}
__global__ void histogram(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[(int)a[i] % 8]++;
}
__global__ void in_place(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) a[i] = 0.5f * (a[i - 1] + a[i + 1]);
}
__global__ void no_barrier(float *a, float *b, int n) {
  b[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = b[n - 1 - threadIdx.x];
}
__global__ void overlap(const float *a, float *b, int n) {
  b[threadIdx.x / 2] = a[threadIdx.x];
}
__global__ void reset(const float *a, float *b, int n) {
  if (threadIdx.x == 0) b[0] = a[0];
  atomicAdd(b, a[threadIdx.x]);
}
__global__ void next_block(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[(i + blockDim.x) % n];
  a[i] = 0.5f * a[i];
}
";

#[test]
fn a_race_in_global_memory_names_both_threads_and_lines() {
    for (kernel, shape, line, words) in [
        ("sum", [1, 32], 4, "which thread 31 read in line "),
        ("sum", [8, 1], 4, "which thread 0 of block 0 wrote in line "),
        ("histogram", [1, 256], 8, " `b["),
        ("histogram", [256, 1], 8, "nothing orders the blocks of a launch"),
        ("in_place", [1, 256], 12, " `a["),
        ("in_place", [8, 32], 12, " `a["),
        ("no_barrier", [1, 256], 15, "which thread 127 read in line 16"),
        ("overlap", [1, 64], 19, "which thread 0 wrote in line "),
        ("reset", [1, 64], 23, "which thread 0 wrote in line "),
        ("next_block", [4, 64], 27, "of block "),
    ] {
        let (kind, at, message) = fault(RACES, kernel, shape, "").expect(kernel);
        assert_eq!((kind, at), ("global-race", line), "{kernel}: {message}");
        assert!(message.contains(words), "{kernel}: {message}");
        assert!(message.contains(" in line "), "{kernel}: {message}");
        assert_eq!(fault(RACES, kernel, shape, ""), Some((kind, at, message)), "the same in every run");
    }
}

const NO_RACES: &str = r"
__global__ void sum(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(b, a[i]);
}
__global__ void own(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) a[i] += b[i];
  b[i] = a[i];
}
__global__ void barrier(float *a, float *b, int n) {
  float x = a[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  a[threadIdx.x] = x;
  __syncthreads();
  b[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x];
}
__global__ void warp(float *a, float *b, int n) {
  float x = a[threadIdx.x ^ 1];
  __syncwarp();
  a[threadIdx.x] = x;
}
__global__ void found(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (b[0] == 1) return;
  if (a[i] > 100) b[0] = 1;
}
__global__ void same(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i / 4] = a[i / 4];
}
__global__ void relax(float *a, float *b, int n) {
  int i = threadIdx.x / 16, j = threadIdx.x % 16;
  float through = a[i * 16] + a[j] + 1, old = a[threadIdx.x];
  a[threadIdx.x] = old < through ? old : through;
}
__device__ unsigned arrived;
__global__ void last_block(const float *a, float *b, int n) {
  __shared__ bool last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i];
  __threadfence();
  if (threadIdx.x == 0) last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) for (int k = 1; k < n; ++k) b[0] += b[k];
}
__global__ void smallest(float *a, float *b, int n) {
  int *least = (int *)b, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (*least < (int)a[i]) atomicMax(least, (int)a[i]);
}
__global__ void bytes(const float *a, float *b, int n) {
  unsigned char *bytes = (unsigned char *)b;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bytes[i] = bytes[i] + 1;
}
__global__ void lock(const float *a, float *b, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS((int *)&b[1], 0, 1) != 0) {}
    __threadfence();
    b[0] += a[blockIdx.x];
    __threadfence();
    atomicExch((int *)&b[1], 0);
  }
}
";

#[test]
fn kernels_that_order_their_accesses_have_no_race() {
    for (kernel, shape) in [
        ("sum", [8, 32]),
        ("own", [4, 64]),
        ("barrier", [1, 256]),
        ("warp", [1, 256]),
        ("found", [8, 32]),
        ("same", [8, 32]),
        ("relax", [1, 256]),
        ("last_block", [8, 32]),
        ("smallest", [8, 32]),
        ("bytes", [8, 32]),
        ("lock", [8, 32]),
    ] {
        assert_eq!(fault(NO_RACES, kernel, shape, ""), None, "{kernel}");
    }
}

const READ_ONLY: &str = r"
__global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}
__global__ void own(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 2 * __ldg(&a[i]);
}
__global__ void later(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 1;
  __syncthreads();
  b[i] = __ldg(&a[n - 1 - i]);
}
__global__ void wide(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 x = __ldg((const float4 *)a + i % 64);
  b[i] = x.x + x.w;
  if (i == 255) a[7] = 1;
}
__global__ void counted(float *a, float *b, int n) {
  if (threadIdx.x > 0) b[threadIdx.x] = __ldg(&a[0]);
  else atomicAdd(&a[0], 1);
}
__global__ void halves(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 128) a[i] = __ldg(&a[i - 128]);
}
__global__ void bytes(float *a, float *b, int n) {
  unsigned char *bytes = (unsigned char *)a;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bytes[4 * i + 1] = __ldg(&bytes[4 * i]);
}
__global__ void volatiles(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = *(volatile float *)&a[i];
  a[i] = 1;
}
";

#[test]
fn what_a_launch_writes_it_must_not_read_as_read_only() {
    let both = "args = [{ buffer = \"a\" }, { buffer = \"a\" }, { i32 = 256 }]";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), READ_ONLY).unwrap();
    let text = format!(
        "module = \"k.cu\"\n[[buffer]]\nname = \"a\"\ntype = \"f32\"\nlen = 256\ninit = {{ iota = 0 }}\n\
         [[launch]]\nkernel = \"smooth\"\ngrid = 2\nblock = 128\n{both}\n"
    );
    let job = Job::parse(&folder.path().join("job.toml"), &text, Expected::Compare).unwrap();
    let mut device = Embedded::new("h200").unwrap();
    device.options().checks = Checks::ALL;
    let in_place = run(&job, &mut device, &Settings::default(), &mut |_| {}).fault().unwrap();
    assert_eq!((in_place.kind, in_place.line), ("read-only-write", Some(4)), "{}", in_place.message);
    for (kernel, shape, line, words) in [
        ("own", [2, 128], 8, "which thread 0 read by a read-only load in line 8"),
        ("later", [1, 256], 14, " reads by a read-only load `a["),
        ("later", [4, 64], 14, "of block "),
        ("wide", [2, 128], 20, "read by a read-only load in line "),
        ("counted", [1, 64], 24, " atomically changes `a["),
    ] {
        let (kind, at, message) = fault(READ_ONLY, kernel, shape, "").expect(kernel);
        assert_eq!((kind, at), ("read-only-write", line), "{kernel}: {message}");
        assert!(message.contains(words) && message.contains("`a["), "{kernel}: {message}");
    }
    for kernel in ["smooth", "halves", "bytes", "volatiles"] {
        assert_eq!(fault(READ_ONLY, kernel, [2, 128], ""), None, "{kernel}");
    }
}

const CONSTANTS: &str = r"
__constant__ float scale;
__constant__ float table[8];
__constant__ float zero = 0.0f;
__constant__ float zeros[4] = {};
__constant__ float given[2] = {1, 2};
__global__ void known(const float *a, float *b, int n) { b[threadIdx.x] = a[threadIdx.x] * scale; }
__global__ void indexed(const float *a, float *b, int n) { b[threadIdx.x] = table[threadIdx.x % 8]; }
__global__ void computed(const float *a, float *b, int n) { float s = 2 * scale + 1; b[threadIdx.x] = s; }
__global__ void branch(const float *a, float *b, int n) { if (scale > 0) b[threadIdx.x] = 1; }
__global__ void initialised(const float *a, float *b, int n) {
  b[threadIdx.x] = zero + zeros[threadIdx.x % 4] + given[threadIdx.x % 2];
}
__global__ void not_read(const float *a, float *b, int n) { b[threadIdx.x] = n < 0 ? scale : 1.0f; }
";

#[test]
fn a_constant_that_nothing_has_set_is_reported_where_it_is_read() {
    let set = |name: &str, values: &str| {
        format!("symbol = [{{ name = \"{name}\", type = \"f32\", values = [{values}] }}]")
    };
    for (kernel, line, symbol) in
        [("known", 7, "scale"), ("indexed", 8, "table[0]"), ("computed", 9, "scale"), ("branch", 10, "scale")]
    {
        let (kind, at, message) = fault(CONSTANTS, kernel, [2, 64], "").expect(kernel);
        assert_eq!((kind, at), ("uninitialised-read", line), "{kernel}: {message}");
        let words =
            format!("`{symbol}` is read, and nothing has set it: neither an initialiser nor the host");
        assert!(message.contains(&words), "{kernel}: {message}");
    }
    let (_, _, part) = fault(CONSTANTS, "indexed", [2, 64], &set("table", "1, 2, 3")).unwrap();
    assert!(part.contains("`table[3]` is read"), "{part}");
    for (kernel, more) in [
        ("known", set("scale", "0")),
        ("computed", set("scale", "2")),
        ("branch", set("scale", "2")),
        ("indexed", set("table", "0, 0, 0, 0, 0, 0, 0, 0")),
        ("initialised", String::new()),
        ("not_read", String::new()),
    ] {
        assert_eq!(fault(CONSTANTS, kernel, [2, 64], &more), None, "{kernel}");
    }
}

const NOT_FINITE: &str = r"#include <cuda_fp16.h>
__global__ void product(const float *a, float *b, int n) {
  float inverse = rsqrtf(a[threadIdx.x] - 5);
  b[threadIdx.x] = inverse * (threadIdx.x != 4);
}
__global__ void root(const float *a, float *b, int n) { b[threadIdx.x] = sqrtf(a[threadIdx.x] - 3); }
__global__ void logarithm(const float *a, float *b, int n) { b[threadIdx.x] = logf(3 - a[threadIdx.x]); }
__global__ void quotient(const float *a, float *b, int n) { double d = a[threadIdx.x] - 2; b[threadIdx.x] = d / (d - d); }
__global__ void half_of_it(const float *a, float *b, int n) {
  __half h = __float2half(300 * a[threadIdx.x]);
  b[threadIdx.x] = __half2float(__hmul(h, h));
}
__global__ void difference(const float *a, float *b, int n) { float big = a[threadIdx.x] * 2e38f; b[threadIdx.x] = big - big; }
__global__ void uniform(const float *a, float *b, int n) { b[threadIdx.x] = a[threadIdx.x] + 1.0f / (n - 256); }
__global__ void atomic(const float *a, float *b, int n) { atomicAdd(b, 1e38f); }
__global__ void power(const float *a, float *b, int n) { b[threadIdx.x] = powf(2.5f - a[threadIdx.x], 0.5f); }
__global__ void least(const float *a, float *b, int n) {
  float least = INFINITY;
  for (int i = 0; i < n; ++i) least = fminf(least, a[i]);
  b[threadIdx.x] = least;
}
__global__ void twice(const float *a, float *b, int n) { b[threadIdx.x] = 2 * a[threadIdx.x]; }
__global__ void squared(const float *a, float *b, int n) { b[threadIdx.x] = powf(0.1f + a[threadIdx.x], 2.0f); }
__global__ void guarded(const float *a, float *b, int n) {
  int least = min(n, 0);
  for (int i = 0; i < 3; ++i)
    if (least != 0) atomicAdd(b + i, __fdividef(1.0f, (float)least));
  b[threadIdx.x] = 0;
}
__global__ void compared(const float *a, float *b, int n) { b[threadIdx.x] = 1 / a[0] > 3 ? 1.0f : 0.0f; }
__global__ void chained(const float *a, float *b, int n) {
  float x = 1 / a[0], y = 2 / a[0];
  for (int i = 0; i < n; ++i) { float sum = x + y; x = y; y = sum; }
  b[threadIdx.x] = y > 3 ? 1.0f : 0.0f;
}
__device__ __noinline__ float bounded(float x) { return fminf(x, 4.0f); }
__global__ void called(const float *a, float *b, int n) { b[threadIdx.x] = bounded(1 / a[0]); }
";

#[test]
fn the_first_nan_and_infinity_are_reported_with_their_operands() {
    let nan = |line, thread, formula| (NotFinite::Nan, line, thread, formula);
    let infinity = |line, thread, formula| (NotFinite::Infinity, line, thread, formula);
    for (kernel, expected) in [
        ("product", vec![nan(3, 0, "rsqrt(-4.0)"), infinity(3, 4, "rsqrt(0.0)")]),
        ("root", vec![nan(6, 0, "sqrt(-2.0)")]),
        ("logarithm", vec![nan(7, 3, "NaN"), infinity(7, 2, "-inf")]),
        ("power", vec![nan(16, 2, "NaN")]),
        ("quotient", vec![nan(8, 1, "0.0 / 0.0"), infinity(8, 0, "-1.0 / 0.0")]),
        ("half_of_it", vec![infinity(11, 0, "300.0 · 300.0")]),
        ("difference", vec![nan(13, 1, "inf - inf"), infinity(13, 1, "2.0 · 2e38")]),
        ("uniform", vec![infinity(14, 0, "1.0 / 0.0")]),
        ("atomic", vec![infinity(15, 3, "3e38 + 1e38")]),
    ] {
        let report = run_with(NOT_FINITE, kernel, [2, 64], "", true);
        let reported = &report.launches[0].not_finite;
        let reported: Vec<_> = reported
            .iter()
            .map(|made| {
                (made.what, made.place.counted_line().unwrap().1, made.thread[0], made.formula.as_str())
            })
            .collect();
        assert_eq!((reported, report.exit_code()), (expected, 1), "{kernel}: {report}");
    }
}

#[test]
fn what_goes_no_further_than_a_thread_s_registers_is_no_first_nan_or_infinity() {
    for kernel in ["least", "twice", "squared", "guarded", "compared", "chained", "called"] {
        let report = run_with(NOT_FINITE, kernel, [2, 64], "", true);
        assert!(report.launches[0].not_finite.is_empty() && report.exit_code() == 0, "{report}");
    }
}

const TILES: &str = r"#include <cuda_pipeline.h>
__global__ void tiles(const float *a, float *b, int n) {
  __shared__ float tile[96];
  float sum = 0;
  for (int k = 0; k < n / 96; ++k) {
    tile[threadIdx.x] = a[k * 96 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 96; ++j) sum += tile[j];
    __syncthreads();
  }
  b[threadIdx.x] = sum;
}
__global__ void all_tiles(const float *a, float *b, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[i];
  b[threadIdx.x] = sum;
}
__global__ void copied(const float *a, float *b, int n) {
  __shared__ float tile[96];
  __pipeline_memcpy_async(&tile[threadIdx.x], &a[threadIdx.x + 1], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  b[threadIdx.x] = tile[threadIdx.x];
}
__global__ void added(float *a, float *b, int n) {
  b[threadIdx.x] = atomicAdd(&a[2 * threadIdx.x], 1);
}
";

/// What nothing has read of the buffer `a`, and the exit code of a job that has `read = true` for it, or asks it of all inputs.
fn unread(
    source: &str,
    kernel: &str,
    shape: [u32; 2],
    more: &str,
    must: bool,
) -> (Option<job::Part>, u8, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), source).unwrap();
    let text = format!(
        "module = \"k.cu\"\n\
         [[buffer]]\nname = \"a\"\ntype = \"f32\"\nlen = 256\ninit = {{ iota = 1 }}\nread = {must}\n\
         [[buffer]]\nname = \"b\"\ntype = \"f32\"\nlen = 256\n{more}\n\
         [[step]]\nlaunch = {{ kernel = \"{kernel}\", grid = {}, block = {}, \
         args = [{{ buffer = \"a\" }}, {{ buffer = \"b\" }}, {{ i32 = 256 }}] }}\n",
        shape[0], shape[1]
    );
    let job = Job::parse(&folder.path().join("job.toml"), &text, Expected::Compare).unwrap();
    let mut device = Embedded::new("h200").unwrap();
    device.options().checks = Checks { unread: true, ..Checks::NONE };
    let report = run(&job, &mut device, &Settings { unread: !must, ..Settings::default() }, &mut |_| {});
    assert!(report.error.is_none(), "{report}");
    let [input] = report.inputs.as_slice() else { panic!("{report}") };
    (input.unread, report.exit_code(), report.to_string())
}

#[test]
fn elements_of_an_input_that_nothing_reads_are_reported_where_that_is_asked_for() {
    let copy =
        "[[step]]\ncopy = { from = { buffer = \"a\", offset = 768 }, to = { buffer = \"b\" }, len = 60 }";
    for (kernel, more, elements, first) in [
        ("tiles", "", 64, 192),
        ("tiles", copy, 4, 252),
        ("all_tiles", "", 0, 0),
        ("copied", "", 160, 0),
        ("added", "", 160, 1),
    ] {
        for must in [true, false] {
            let (unread_part, code, text) = unread(TILES, kernel, [1, 96], more, must);
            let expected = job::Part { elements, first, of: 256 };
            let code_expected = u8::from(must && elements > 0);
            assert_eq!((unread_part, code), (Some(expected), code_expected), "{kernel}: {text}");
        }
    }
    let (_, _, text) = unread(TILES, "tiles", [1, 96], "", true);
    assert!(text.contains("input a: nothing has read 64 of 256 × f32, the first at index 192\n"), "{text}");
    let (_, _, text) = unread(TILES, "all_tiles", [1, 96], "", true);
    assert!(text.contains("input a: all of 256 × f32 are read\n"), "{text}");
}

const PATHS: &str = r"#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void fetched(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0) a[i] = tex1Dfetch<float>(of_a, i - 1);
}
__global__ void fetched_rows(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(tex2D<float>(t, x, 15 - y), s, 4 * x, y);
}
__global__ void out_of_place(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  int x = threadIdx.x, y = blockIdx.x;
  if (y >= 8) surf2Dwrite(tex2D<float>(t, x, y - 8), s, 4 * x, y);
}
__global__ void blurred(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  int x = threadIdx.x, y = blockIdx.x;
  float left = 0;
  if (x > 0) surf2Dread(&left, s, 4 * (x - 1), y);
  surf2Dwrite(left + x, s, 4 * x, y);
}
__global__ void rows_of_others(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(a[16 * y + x], s, 4 * x, y / 2);
}
__global__ void doubled(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  int x = threadIdx.x, y = blockIdx.x;
  float own;
  surf2Dread(&own, s, 4 * x, y);
  surf2Dwrite(2 * own, s, 4 * x, y);
}
__global__ void after_a_barrier(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  int x = threadIdx.x, y = blockIdx.x;
  float left;
  surf2Dread(&left, s, 4 * (x ^ 1), y);
  __syncthreads();
  surf2Dwrite(left, s, 4 * x, y);
}
__global__ void flagged(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  if (a[threadIdx.x] > 3) surf2Dwrite(1.0f, s, 0, 0);
}
__device__ void put(float *to, const float *from) {
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, 64);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
__global__ void put_under_a_load(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  __shared__ alignas(16) float tile[16];
  tile[threadIdx.x] = __ldg(&a[(16 * blockIdx.x + threadIdx.x + 1) % 256]);
  put(a + 16 * blockIdx.x, tile);
}
__global__ void put_beside_loads(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  __shared__ alignas(16) float tile[16];
  tile[threadIdx.x] = 2 * a[(16 * blockIdx.x + threadIdx.x + 1) % 256];
  put(a + 16 * blockIdx.x, tile);
}
__global__ void put_twice(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  __shared__ alignas(16) float tile[16];
  tile[threadIdx.x] = a[16 * blockIdx.x + threadIdx.x];
  put(b, tile);
}
__global__ void got_too_early(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  __shared__ alignas(16) float tile[16];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1);
  __syncthreads();
  a[16 * blockIdx.x + threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 64);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, a + 16 * blockIdx.x, 64, &full);
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
  b[16 * blockIdx.x + threadIdx.x] = tile[threadIdx.x];
}
__global__ void own_tiles(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  __shared__ alignas(16) float tile[16];
  tile[threadIdx.x] = 2 * a[16 * blockIdx.x + threadIdx.x];
  put(a + 16 * blockIdx.x, tile);
}
__global__ void same_tile(cudaTextureObject_t t, cudaSurfaceObject_t s, cudaTextureObject_t of_a, float *a, float *b) {
  __shared__ alignas(16) float tile[16];
  tile[threadIdx.x] = a[threadIdx.x];
  put(b, tile);
}
";

/// The kind, the line and the message of the fault of a kernel of `PATHS`, on 16 blocks of 16 threads.
fn fault_on_a_path(kernel: &str) -> Option<(&'static str, u32, String)> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), PATHS).unwrap();
    let text = format!(
        r#"
        module = "k.cu"
        options = "-arch=sm_90"
        buffer = [
            {{ name = "a", type = "f32", len = 256, init = {{ iota = 1 }} }},
            {{ name = "b", type = "f32", len = 256, init = {{ fill = 0 }} }},
        ]
        array = [{{ name = "image", format = "f32", width = 16, height = 16 }}]
        texture = [
            {{ name = "t", array = "image" }},
            {{ name = "of_a", buffer = "a", format = "f32", width = 256 }},
        ]
        surface = [{{ name = "s", array = "image" }}]
        launch = [{{ kernel = "{kernel}", grid = 16, block = 16, args = [
            {{ texture = "t" }}, {{ surface = "s" }}, {{ texture = "of_a" }}, {{ buffer = "a" }}, {{ buffer = "b" }},
        ] }}]
        "#
    );
    let job = Job::parse(&folder.path().join("job.toml"), &text, Expected::Compare).unwrap();
    let mut device = Embedded::new("h200").unwrap();
    device.options().checks = Checks::ALL;
    let report = run(&job, &mut device, &Settings::default(), &mut |_| {});
    let fault = report.fault();
    assert!(fault.is_some() || report.error.is_none(), "{kernel}: {report}");
    fault.map(reported)
}

#[test]
fn conflicts_are_found_on_every_path_to_memory() {
    for (kernel, kind, line, words) in [
        ("fetched", "read-only-write", 6, "`a["),
        ("fetched_rows", "read-only-write", 10, " texel (0, 0) of `image` that thread "),
        ("put_under_a_load", "read-only-write", 46, "`a["),
        ("blurred", "global-race", 20, " texel (1, 0) of `image` that thread "),
        ("rows_of_others", "global-race", 24, " texel (0, 0) of `image` that thread "),
        ("put_beside_loads", "global-race", 58, "`a["),
        ("put_twice", "global-race", 46, "`b["),
        ("got_too_early", "global-race", 74, "`a["),
    ] {
        let (found, at, message) = fault_on_a_path(kernel).expect(kernel);
        assert!((found, at) == (kind, line) && message.contains(words), "{kernel}: {found} {at}: {message}");
        assert_eq!(fault_on_a_path(kernel), Some((found, at, message)), "the same in every run");
    }
    for kernel in ["out_of_place", "doubled", "after_a_barrier", "flagged", "own_tiles", "same_tile"] {
        assert_eq!(fault_on_a_path(kernel), None, "{kernel}");
    }
}

const PRINTS: &str = r#"#include <cstdio>
__global__ void prints(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0) printf("warp at %d\n", i);
  if (i == 97) b[n] = 1;
  if (threadIdx.x % 32 == 1) printf("past it at %d\n", i);
}
__global__ void races(const float *a, float *b, int n) {
  if (threadIdx.x == 0) printf("block %d\n", blockIdx.x);
  b[threadIdx.x] = blockIdx.x;
}
"#;

#[test]
fn what_is_printed_before_a_fault_is_shown_in_order() {
    for (kernel, shape, printed) in [
        (
            "prints",
            [8, 64],
            "warp at 0\npast it at 1\nwarp at 32\npast it at 33\nwarp at 64\npast it at 65\nwarp at 96\n",
        ),
        ("races", [3, 32], "block 0\nblock 1\nblock 2\n"),
    ] {
        let report = run_with(PRINTS, kernel, shape, "", false);
        assert!(report.error.is_some() && report.launches.is_empty(), "{report}");
        assert_eq!(report.ended.as_ref().map(|ended| ended.printed.as_str()), Some(printed), "{report}");
        let text = report.to_string();
        let shown =
            format!("  grid {}, block {}: ended by a fault\n  printed:\n{printed}", shape[0], shape[1]);
        assert!(text.contains(&shown), "{text}");
    }
}

const DYNAMIC: &str = r"
__global__ void beyond(const float *a, float *b) {
  extern __shared__ float2 pairs[];
  pairs[threadIdx.x] = make_float2(a[threadIdx.x], 0);
  __syncthreads();
  b[threadIdx.x] = pairs[threadIdx.x + 128].x;
}
__global__ void unset(const float *a, float *b) {
  extern __shared__ float rows[][16];
  if (threadIdx.x < 20) rows[0][threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = rows[threadIdx.x / 16][threadIdx.x % 16];
}
__device__ float *neighbour() {
  extern __shared__ float own[];
  return own + (threadIdx.x + 1) % 64;
}
__global__ void race(const float *a, float *b) {
  extern __shared__ float own[];
  own[threadIdx.x] = a[threadIdx.x];
  b[threadIdx.x] = *neighbour();
}
__global__ void several(const float *a, float *b) {
  extern __shared__ float keys[];
  extern __shared__ int values[];
  keys[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = values[threadIdx.x + 192];
}
";

#[test]
fn elements_of_dynamic_shared_memory_have_the_name_of_the_one_array_that_a_kernel_has_there() {
    for (kernel, says) in [
        ("beyond", "`pairs[128]` is read, and `pairs` has 128 elements, up to `pairs[127]`"),
        ("unset", "`rows[1][4]` is read, and no thread of the block has written it"),
        ("race", "reads `own[1]`, which thread 1 wrote in line "),
        ("several", "of shared memory that no thread of the block has written"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("k.cu"), DYNAMIC).unwrap();
        let text = format!(
            "module = \"k.cu\"\n\
             [[buffer]]\nname = \"a\"\ntype = \"f32\"\nlen = 64\ninit = {{ iota = 1 }}\n\
             [[buffer]]\nname = \"b\"\ntype = \"f32\"\nlen = 64\n\
             [[launch]]\nkernel = \"{kernel}\"\ngrid = 1\nblock = 64\nshared_bytes = 1024\n\
             args = [{{ buffer = \"a\" }}, {{ buffer = \"b\" }}]\n"
        );
        let job = Job::parse(&folder.path().join("job.toml"), &text, Expected::Compare).unwrap();
        let mut device = Embedded::new("h200").unwrap();
        device.options().checks = Checks::ALL;
        let report = run(&job, &mut device, &Settings::default(), &mut |_| {});
        let message = report.fault().map(|fault| fault.message).unwrap_or_default();
        assert!(message.contains(says), "{kernel}: {message}");
    }
}

const STAGES: &str = r"
#include <cuda/pipeline>
__device__ void copy(float *to, const float *from, cuda::pipeline<cuda::thread_scope_thread> &pipe) {
  pipe.producer_acquire();
  cuda::memcpy_async(to, from, cuda::aligned_size_t<4>(4), pipe);
  pipe.producer_commit();
}
__global__ void never_released(const float *a, float *b, int n) {
  __shared__ float tile[64];
  auto pipe = cuda::make_pipeline();
  float sum = 0;
  for (int first = 0; first < n; first += 64) {
    copy(&tile[threadIdx.x], &a[first + threadIdx.x], pipe);
    pipe.consumer_wait();
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  b[threadIdx.x] = sum;
}
__global__ void two_under_way(const float *a, float *b, int n) {
  __shared__ float tile[2][64];
  auto pipe = cuda::make_pipeline();
  copy(&tile[0][threadIdx.x], &a[threadIdx.x], pipe);
  float sum = 0;
  for (int first = 0, at = 0; first < n; first += 64, at ^= 1) {
    if (first + 64 < n) copy(&tile[at ^ 1][threadIdx.x], &a[first + 64 + threadIdx.x], pipe);
    pipe.consumer_wait();
    __syncthreads();
    sum += tile[at][63 - threadIdx.x];
    pipe.consumer_release();
    __syncthreads();
  }
  b[threadIdx.x] = sum;
}
__global__ void not_waited_for(const float *a, float *b, int n) {
  __shared__ float tile[64];
  auto pipe = cuda::make_pipeline();
  pipe.consumer_wait();
  copy(&tile[threadIdx.x], &a[threadIdx.x], pipe);
  b[threadIdx.x] = tile[threadIdx.x];
}
";

#[test]
fn a_wait_of_a_pipeline_is_for_the_oldest_copies_whether_or_not_earlier_ones_were_released() {
    for kernel in ["never_released", "two_under_way"] {
        let report = run_with(STAGES, kernel, [1, 64], "", false);
        assert!(report.error.is_none(), "{kernel}: {report}");
        // Thread 0 adds the elements 63, 127, 191 and 255 of 1.0, 2.0 and so on.
        assert_eq!(report.outputs[0].first[0], "640.0", "{kernel}: {report}");
    }
    let (kind, _, message) = fault(STAGES, "not_waited_for", [1, 64], "").unwrap();
    assert!(kind == "shared-race" && message.contains("copies to"), "{kind}: {message}");
}
