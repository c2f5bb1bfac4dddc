// Three variables of a module and a kernel that reads them: a constant array, a variable in device memory, and one in
// device memory that holds a pointer. The host gives each its value by name.

#define COUNT 256

// ANCHOR: declaration
__constant__ float constData[COUNT];
__device__ float devData;
__device__ float *devPointer;
// ANCHOR_END: declaration

// ANCHOR: use
extern "C" __global__ void use_symbols(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = constData[i % COUNT] * devData + devPointer[i % COUNT];
}
// ANCHOR_END: use

// ANCHOR: change
// A kernel may write __device__ variables. The host sees that when it copies from the symbol.
extern "C" __global__ void change_symbols(float factor) {
    if (blockIdx.x == 0 && threadIdx.x == 0) devData *= factor;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT) devPointer[i] += constData[i];
}
// ANCHOR_END: change
