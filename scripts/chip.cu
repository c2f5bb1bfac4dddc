// What a GPU says of itself and what its documents do not say: how much a launch finds in L2 of what the one before it used,
// and how fast blocks start, on the whole chip and where other work leaves few multiprocessors. Prints one line a figure.
// See scripts/chip.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <numeric>
#include <random>
#include <vector>

#define CHECK(call)                                                                                                       \
    do {                                                                                                                  \
        int code = (int)(call);                                                                                           \
        if (code != 0) {                                                                                                  \
            fprintf(stderr, "scripts/chip.cu:%d: %s: error %d\n", __LINE__, #call, code);                                 \
            exit(1);                                                                                                      \
        }                                                                                                                 \
    } while (0)

const size_t MIB = 1 << 20, MOST = 256 * MIB;
const int REPEATS = 7;

__device__ float4 past_l1(const float4 *from) {
    float4 v;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
    return v;
}

__global__ void read_again(const float4 *in, size_t n, int times, float *out) {
    float sum = 0.0f;
    for (int t = 0; t < times; t++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
            sum += past_l1(in + i).x;
    if (sum == 123.456f) *out = sum;
}

__global__ void read(const float4 *in, size_t n, float *out) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && in[i].x == 123.456f) *out = 1.0f;
}

__global__ void write(float4 *out, size_t n) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) out[i] = make_float4(1, 2, 3, 4);
}

__global__ void copy(const float4 *in, float4 *out, size_t n) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void chase(const unsigned *next, unsigned at, int steps, long long *cycles, unsigned *end) {
    long long start = clock64();
    for (int i = 0; i < steps; i++) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
    *cycles = clock64() - start;
    *end = at;
}

__global__ void nothing() {}

// Keeps a multiprocessor: all its shared memory, one block.
__global__ void keep(volatile int *stop, int *started) {
    extern __shared__ int room[];
    if (threadIdx.x != 0) return;
    room[0] = 1;
    atomicAdd(started, 1);
    while (!*stop) __nanosleep(100000);
}

cudaStream_t stream;

// Microseconds of what is put on the stream, the median of several times, warmed up.
template <class Work> double us(Work work) {
    cudaEvent_t before, after;
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    work();
    work();
    std::vector<float> times(REPEATS);
    for (float &time : times) {
        CHECK(cudaEventRecord(before, stream));
        work();
        CHECK(cudaEventRecord(after, stream));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&time, before, after));
    }
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
    std::sort(times.begin(), times.end());
    return times[REPEATS / 2] * 1e3;
}

void attributes() {
    cudaDeviceProp of;
    CHECK(cudaGetDeviceProperties(&of, 0));
    printf("name %s\n", of.name);
    struct { const char *name; CUdevice_attribute attribute; } asked[] = {
        {"compute_capability_major", CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
        {"compute_capability_minor", CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
        {"multiprocessors", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
        {"clock_khz", CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
        {"memory_clock_khz", CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
        {"memory_bus_bits", CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
        {"l2_bytes", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
        {"l2_persisting_bytes", CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE},
        {"threads_per_multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
        {"blocks_per_multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
        {"shared_bytes_per_multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
        {"shared_bytes_per_block", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
        {"shared_bytes_reserved", CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK},
    };
    for (auto &one : asked) {
        int value;
        CHECK(cuDeviceGetAttribute(&value, one.attribute, 0));
        printf("driver %s %d\n", one.name, value);
    }
    printf("driver memory_bytes %zu\n", of.totalGlobalMem);
}

void l2(int multiprocessors) {
    char *in, *out;
    float *sink;
    CHECK(cudaMalloc(&in, MOST));
    CHECK(cudaMalloc(&out, MOST));
    CHECK(cudaMalloc(&sink, 64));
    CHECK(cudaMemset(in, 0, MOST));
    CHECK(cudaMemset(out, 0, MOST));
    for (int i = 0; i < 300; i++) read<<<65536, 256, 0, stream>>>((float4 *)in, 65536 * 256, sink);
    const int sizes[] = {8, 16, 24, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 72, 80, 96, 128, 256};
    for (int mib : sizes) {
        const int launches = 20;
        size_t n = mib * MIB / sizeof(float4), half = n / 2;
        int times = std::max(2, 1024 / mib);
        auto rate = [&](double time) { return mib * (double)MIB / time / 1e3; };
        double again = us([&] { read_again<<<multiprocessors * 8, 256, 0, stream>>>((float4 *)in, n, times, sink); }) / times;
        double reads = us([&] { for (int i = 0; i < launches; i++) read<<<(n + 255) / 256, 256, 0, stream>>>((float4 *)in, n, sink); }) / launches;
        double writes = us([&] { for (int i = 0; i < launches; i++) write<<<(n + 255) / 256, 256, 0, stream>>>((float4 *)out, n); }) / launches;
        double copies = us([&] { for (int i = 0; i < launches; i++) copy<<<(half + 255) / 256, 256, 0, stream>>>((float4 *)in, (float4 *)out, half); }) / launches;
        printf("l2 %d MiB: read by the same blocks again %.0f GB/s; launches of reads %.2f us %.0f GB/s, of writes %.2f us %.0f GB/s, "
               "of copies %.2f us %.0f GB/s\n", mib, rate(again), reads, rate(reads), writes, rate(writes), copies, rate(copies));
    }
    std::mt19937 random(1);
    std::vector<unsigned> next(MOST / 4), order;
    for (int mib : {4, 16, 24, 28, 30, 32, 36, 40, 48, 52, 56, 60, 64, 72, 96}) {
        size_t lines = mib * MIB / 128;
        order.resize(lines);
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), random);
        for (size_t i = 0; i < lines; i++) next[order[i] * 32] = order[(i + 1) % lines] * 32;
        CHECK(cudaMemcpy(in, next.data(), mib * MIB, cudaMemcpyHostToDevice));
        long long cycles[2];
        int steps = (int)std::min<size_t>(lines, 100000);
        auto measure = [&](long long *into) {
            chase<<<1, 1, 0, stream>>>((unsigned *)in, order[0] * 32, steps, (long long *)sink, (unsigned *)sink + 4);
            CHECK(cudaMemcpyAsync(into, sink, 8, cudaMemcpyDeviceToHost, stream));
            CHECK(cudaStreamSynchronize(stream));
        };
        chase<<<1, 1, 0, stream>>>((unsigned *)in, order[0] * 32, (int)lines, (long long *)sink, (unsigned *)sink + 4);
        measure(cycles);
        for (int i = 0; i < 3; i++) read_again<<<multiprocessors * 8, 256, 0, stream>>>((float4 *)in, mib * MIB / 16, 1, sink + 8);
        measure(cycles + 1);
        printf("l2 %d MiB: one thread's chain %.1f cycles a load, after reads by all %.1f\n", mib, (double)cycles[0] / steps, (double)cycles[1] / steps);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sink));
}

void starts(const cudaDeviceProp &of) {
    int khz;
    CHECK(cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0));
    double clock_ghz = khz / 1e6;
    cudaStream_t others, third;
    CHECK(cudaStreamCreateWithFlags(&others, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
    int *flags, *seen, all = (int)of.sharedMemPerBlockOptin, most = of.multiProcessorCount;
    CHECK(cudaMalloc(&flags, 4096));
    CHECK(cudaHostAlloc(&seen, 64, 0));
    CHECK(cudaFuncSetAttribute(keep, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    for (int free : {most, most / 2, most / 3, most / 4, most / 8, 8, 4, 2, 1}) {
        CHECK(cudaMemset(flags, 0, 4096));
        CHECK(cudaDeviceSynchronize());
        *seen = 0;
        if (free < most) keep<<<most - free, 32, all, others>>>(flags, flags + 256);
        while (*seen < most - free) {
            CHECK(cudaMemcpyAsync(seen, flags + 256, 4, cudaMemcpyDeviceToHost, third));
            CHECK(cudaStreamSynchronize(third));
        }
        for (int threads : {32, 64, 128, 256, 512, 1024}) {
            int blocks = std::min(400000, free * 20000) / (threads > 256 ? 4 : 1);
            double more = us([&] { nothing<<<blocks, threads, 0, stream>>>(); }), less = us([&] { nothing<<<blocks / 4, threads, 0, stream>>>(); });
            double ns = (more - less) * 1e3 / (blocks - blocks / 4);
            printf("start on %d multiprocessors, %d threads: %.3f ns a block, %.1f cycles a block of each\n", free, threads, ns, ns * clock_ghz * free);
        }
        *seen = 1;
        CHECK(cudaMemcpyAsync(flags, seen, 4, cudaMemcpyHostToDevice, third));
        CHECK(cudaDeviceSynchronize());
    }
}

int main() {
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(nullptr));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    attributes();
    cudaDeviceProp of;
    CHECK(cudaGetDeviceProperties(&of, 0));
    l2(of.multiProcessorCount);
    starts(of);
}
