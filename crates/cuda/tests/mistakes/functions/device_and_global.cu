__global__ __device__ void k(int *a) { a[0] = 1; }
__device__ __constant__ float c[3];
__shared__ __constant__ float d[3];
__global__ void k2(int *a) { __device__ int x = 3; static __shared__ int y = 3; a[0] = x + y; }
// ANCHOR: errors
error: a kernel cannot also be a `__device__` function
 --> device_and_global.cu:1:12
  |
1 | __global__ __device__ void k(int *a) { a[0] = 1; }
  |            ^^^^^^^^^^
  |
help: move what both need into a separate `__device__` function, and call that from the kernel

error: `__device__` variables must be declared outside functions
 --> device_and_global.cu:4:30
  |
4 | __global__ void k2(int *a) { __device__ int x = 3; static __shared__ int y = 3; a[0] = x + y; }
  |                              ^^^^^^^^^^
  |
help: move the declaration before the kernel; `__shared__` ones may stay in it

error: a shared variable cannot be initialised: it belongs to all threads of the block
 --> device_and_global.cu:4:78
  |
4 | __global__ void k2(int *a) { __device__ int x = 3; static __shared__ int y = 3; a[0] = x + y; }
  |                                                                              ^
  |
help: let one thread (or all, in a loop) store the value, then call `__syncthreads()`
