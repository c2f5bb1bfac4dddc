// Launches from kernels: order, nesting, memory, errors. Each case is a kernel of one argument, an array of 16 numbers that
// begin as zero and of which all results are a part. scripts/truth-dynamic runs it on a GPU and prints what they are then.
#include <cuda_runtime.h>

struct Mixed {
    double d;
    int i;
};

__global__ void append(int *out, int digit) { *out = *out * 10 + digit; }

__global__ void add(int *out, int n) { atomicAdd(out, n); }

__global__ void mixed(char c, int *out, Mixed m, short s) { out[threadIdx.x] = c + int(m.d) + m.i + s + threadIdx.x; }

__global__ void scale(int *values, int factor) { values[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }

// Launches of a thread, one after the other, and a tail launch among them.
extern "C" __global__ void in_order(int *out) {
    append<<<1, 1>>>(out, 1);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(out, 8);
    append<<<1, 1>>>(out, 2);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(out, 9);
    append<<<1, 1>>>(out, 3);
}

// A child sees what its parent wrote before, and its tail launch what it wrote.
__global__ void middle(int *out) {
    out[1] = out[0] + 1;
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(out + 1, 7);
}
extern "C" __global__ void nested(int *out) {
    out[0] = 4;
    middle<<<1, 1>>>(out);
    append<<<1, 1>>>(out + 1, 5);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(out + 1, 6);
}

// Parameters of all sizes.
extern "C" __global__ void parameters(int *out) { mixed<<<1, 4>>>(3, out, Mixed{2.5, 100}, -7); }

// Each block its own children.
extern "C" __global__ void blocks(int *out) {
    out[blockIdx.x * 4 + threadIdx.x] = 1 + blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        scale<<<2, 2>>>(out + blockIdx.x * 4, 10);
        scale<<<2, 2>>>(out + blockIdx.x * 4, 3);
    }
}

// All threads launch.
extern "C" __global__ void threads(int *out) { add<<<1, 2, 0, cudaStreamFireAndForget>>>(out, threadIdx.x); }

// Trees of launches.
extern "C" __global__ void tree(int *out);
__global__ void branch(int *out, int levels) {
    atomicAdd(out, 1);
    if (levels > 0) {
        branch<<<1, 1, 0, cudaStreamFireAndForget>>>(out, levels - 1);
        branch<<<1, 1, 0, cudaStreamFireAndForget>>>(out, levels - 1);
    }
}
extern "C" __global__ void tree(int *out) { branch<<<1, 1>>>(out, 4); }

// Streams and an event.
extern "C" __global__ void streams(int *out) {
    cudaStream_t a, b;
    cudaEvent_t done;
    out[1] = cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    out[2] = cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    out[3] = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    append<<<1, 1, 0, a>>>(out, 1);
    append<<<1, 1, 0, a>>>(out, 2);
    out[4] = cudaEventRecord(done, a);
    out[5] = cudaStreamWaitEvent(b, done, 0);
    append<<<1, 1, 0, b>>>(out, 3);
    out[6] = cudaEventDestroy(done);
    out[7] = cudaStreamDestroy(a);
    out[8] = cudaStreamDestroy(b);
    out[9] = a != b;
}

// Copies are in the order of launches.
extern "C" __global__ void copies(int *out) {
    out[0] = 5;
    append<<<1, 1>>>(out, 6);
    out[14] = cudaMemcpyAsync(out + 1, out, 4, cudaMemcpyDeviceToDevice, 0);
    append<<<1, 1>>>(out, 7);
    append<<<1, 1>>>(out + 3, 2);
}

// Launches that cannot be made, and the errors that they leave.
extern "C" __global__ void errors(int *out) {
    out[0] = cudaGetLastError();
    append<<<1, 2048>>>(out + 15, 1);
    out[1] = cudaPeekAtLastError();
    out[2] = cudaGetLastError();
    out[3] = cudaGetLastError();
    append<<<0, 1>>>(out + 15, 1);
    out[4] = cudaGetLastError();
    append<<<1, dim3(1, 1, 65)>>>(out + 15, 1);
    out[5] = cudaGetLastError();
    append<<<1, 1, 1 << 20>>>(out + 15, 1);
    out[6] = cudaGetLastError();
    append<<<1, 1>>>(out + 14, 4);
    out[7] = cudaGetLastError();
}

// How deep grids nest.
__global__ void deeper(int *out, int level) {
    out[0] = level;
    if (level < 40) {
        deeper<<<1, 1>>>(out, level + 1);
        out[1] = cudaGetLastError();
    }
}
extern "C" __global__ void depth(int *out) { deeper<<<1, 1>>>(out, 1); }

// Memory of the device runtime.
extern "C" __global__ void memory(int *out) {
    int *a = nullptr, count = 0, device = -1;
    out[0] = cudaMalloc(&a, 16);
    out[1] = a != nullptr;
    a[3] = 12;
    out[2] = a[3];
    out[3] = cudaFree(a);
    out[4] = cudaGetDeviceCount(&count);
    out[5] = cudaGetDevice(&device);
    out[6] = device;
}

// Bytes that are set, in the order of launches; rows of a plane and of a box.
extern "C" __global__ void sets(int *out) {
    append<<<1, 1>>>(out, 6);
    out[8] = cudaMemsetAsync(out, 1, 4, 0);
    append<<<1, 1>>>(out, 3);
    out[9] = cudaMemsetAsync(out + 1, 0x102, 3, 0);
    out[10] = cudaMemset2DAsync(out + 2, 8, 2, 4, 2, 0);
    cudaPitchedPtr box{out + 5, 4, 4, 1};
    out[11] = cudaMemset3DAsync(box, 3, cudaExtent{2, 1, 2}, 0);
    out[12] = cudaMemsetAsync(out + 7, 255, 2, cudaStreamTailLaunch);
    out[13] = cudaMemsetAsync(out, 255, 0, 0);
}

// Rows of a plane and of a box that are copied.
extern "C" __global__ void planes(int *out) {
    for (int n = 0; n < 6; n++) out[n] = n + 1;
    out[12] = cudaMemcpy2DAsync(out + 6, 4, out, 8, 4, 3, cudaMemcpyDeviceToDevice, 0);
    cudaMemcpy3DParms box{};
    box.srcPtr = cudaPitchedPtr{out, 4, 4, 1};
    box.dstPtr = cudaPitchedPtr{out + 9, 4, 4, 1};
    box.extent = cudaExtent{4, 1, 2};
    box.kind = cudaMemcpyDeviceToDevice;
    box.srcPos = cudaPos{0, 1, 1};
    out[13] = cudaMemcpy3DAsync(&box, 0);
    out[14] = cudaMemcpyAsync(out + 11, out + 5, 4, cudaMemcpyDefault, 0);
}

// Copies and fills that are refused.
extern "C" __global__ void misused(int *out) {
    out[0] = cudaMemcpyAsync(out + 15, out + 14, 4, cudaMemcpyHostToDevice, 0);
    out[1] = cudaMemcpyAsync(out + 15, out + 14, 4, (cudaMemcpyKind)9, 0);
    out[2] = cudaMemcpyAsync(out + 15, out + 14, 0, cudaMemcpyDeviceToDevice, 0);
    out[3] = cudaMemcpy2DAsync(out + 15, 2, out + 14, 4, 4, 1, cudaMemcpyDeviceToDevice, 0);
    out[4] = cudaMemset2DAsync(out + 15, 2, 0, 4, 1, 0);
    out[5] = cudaMemset2DAsync(out + 15, 4, 0, 0, 1, 0);
    cudaStream_t stream;
    cudaEvent_t event;
    out[6] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    out[7] = cudaEventCreateWithFlags(&event, cudaEventDefault);
    out[8] = cudaEventCreateWithFlags(&event, cudaEventBlockingSync);
    out[9] = cudaStreamCreateWithFlags(&stream, 7);
    out[10] = cudaGetLastError();
    int value = -1;
    out[11] = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0);
    out[12] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1);
    size_t limit = 5;
    out[13] = cudaDeviceGetLimit(&limit, (cudaLimit)99);
    out[14] = cudaGetLastError();
}

// Limits, with their errors.
extern "C" __global__ void limits(int *out) {
    for (int n = 0; n < 7; n++) {
        size_t value = 77;
        out[n] = cudaDeviceGetLimit(&value, (cudaLimit)n);
        out[n + 7] = int(value);
    }
    cudaFuncCache cache = cudaFuncCachePreferL1;
    out[14] = cudaDeviceGetCacheConfig(&cache) * 100 + cache;
    cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
    out[15] = cudaDeviceGetSharedMemConfig(&banks) * 100 + banks;
}

__device__ int attribute(int number) {
    int value = -1;
    cudaError_t error = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)number, 0);
    return error ? -1000 - error : value;
}

// What programs ask for to choose a launch's shape.
extern "C" __global__ void attributes(int *out) {
    out[0] = attribute(cudaDevAttrMaxThreadsPerBlock);
    out[1] = attribute(cudaDevAttrMaxBlockDimZ);
    out[2] = attribute(cudaDevAttrMaxGridDimX);
    out[3] = attribute(cudaDevAttrMaxGridDimY);
    out[4] = attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    out[5] = attribute(cudaDevAttrTotalConstantMemory);
    out[6] = attribute(cudaDevAttrWarpSize);
    out[7] = attribute(cudaDevAttrMaxRegistersPerBlock);
    out[8] = attribute(cudaDevAttrMultiProcessorCount);
    out[9] = attribute(cudaDevAttrL2CacheSize);
    out[10] = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    out[11] = attribute(cudaDevAttrComputeCapabilityMajor);
    out[12] = attribute(cudaDevAttrComputeCapabilityMinor);
    out[13] = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    out[14] = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    out[15] = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
}

__global__ void large(int *out) {
    __shared__ int tile[8192];
    for (int n = threadIdx.x; n < 8192; n += blockDim.x) tile[n] = n;
    __syncthreads();
    out[threadIdx.x] += tile[8191 - threadIdx.x];
}

// Blocks of a kernel that a multiprocessor has room for.
extern "C" __global__ void occupancy(int *out) {
    int blocks = -1;
    int threads[] = {32, 64, 96, 128, 256, 768, 1024};
    for (int n = 0; n < 7; n++) {
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, append, threads[n], 0);
        out[n] = blocks;
    }
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large, 128, 0);
    out[7] = blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, append, 128, 10000);
    out[8] = blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, append, 128, 40000, cudaOccupancyDefault);
    out[9] = blocks;
    blocks = -1;
    out[10] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, append, 2048, 0);
    out[11] = blocks;
    out[12] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, append, 0, 0);
    out[13] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, append, 128, 1 << 20);
    out[14] = blocks;
    cudaGetLastError();
}

#ifdef HOST
#include <cstdio>
struct Case {
    const char *name;
    void (*kernel)(int *);
    int grid, block;
};
#define CASE(kernel, ...) {#kernel, kernel, __VA_ARGS__}
int main() {
    Case cases[] = {CASE(in_order, 1, 1),   CASE(nested, 1, 1),     CASE(parameters, 1, 1), CASE(blocks, 4, 4),
                    CASE(threads, 1, 16),   CASE(tree, 1, 1),       CASE(streams, 1, 1),    CASE(copies, 1, 1),
                    CASE(errors, 1, 1),     CASE(depth, 1, 1),      CASE(memory, 1, 1),     CASE(sets, 1, 1),
                    CASE(planes, 1, 1),     CASE(misused, 1, 1),    CASE(limits, 1, 1),     CASE(attributes, 1, 1),
                    CASE(occupancy, 1, 1)};
    for (const Case &one : cases) {
        int *out, host[16];
        cudaMalloc(&out, sizeof host);
        cudaMemset(out, 0, sizeof host);
        one.kernel<<<one.grid, one.block>>>(out);
        cudaError_t error = cudaDeviceSynchronize();
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        printf("%s", one.name);
        for (int value : host) printf(" %d", value);
        printf("%s\n", error ? cudaGetErrorString(error) : "");
        cudaFree(out);
    }
}
#endif
