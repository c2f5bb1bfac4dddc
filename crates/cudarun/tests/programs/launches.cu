// Launches from kernels: order, nesting, parameters, errors; of the kernels of crates/simt/tests/dynamic/launches.cu, with what an
// H200 printed.
#include <cstdio>
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

struct Case {
    const char *name;
    void (*kernel)(int *);
    int grid, block;
};
#define CASE(kernel, ...) {#kernel, kernel, __VA_ARGS__}
int main() {
    Case cases[] = {CASE(in_order, 1, 1), CASE(nested, 1, 1), CASE(parameters, 1, 1), CASE(blocks, 4, 4),
                    CASE(threads, 1, 16), CASE(tree, 1, 1),   CASE(errors, 1, 1),     CASE(depth, 1, 1)};
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
