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

#ifdef HOST
#include <cstdio>
int main() {
    void (*cases[])(int *) = {in_order, nested, parameters, blocks, threads, tree, streams, copies, errors, depth, memory};
    const char *names[] = {"in_order", "nested", "parameters", "blocks", "threads", "tree", "streams", "copies", "errors", "depth", "memory"};
    for (int n = 0; n < 11; n++) {
        int *out, host[16];
        cudaMalloc(&out, sizeof host);
        cudaMemset(out, 0, sizeof host);
        dim3 grid(n == 3 ? 4 : 1), block(n == 3 ? 4 : n == 4 ? 16 : 1);
        cases[n]<<<grid, block>>>(out);
        cudaError_t error = cudaDeviceSynchronize();
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        printf("%s", names[n]);
        for (int value : host) printf(" %d", value);
        printf("%s\n", error ? cudaGetErrorString(error) : "");
        cudaFree(out);
    }
}
#endif
