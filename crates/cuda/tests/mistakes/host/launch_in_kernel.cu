__global__ void child(float *a) { a[threadIdx.x] = 1; }
__global__ void parent(float *a)
{
    if (threadIdx.x == 0) child<<<1, 32>>>(a);
}
// ANCHOR: errors
error: launching a kernel from a kernel is not supported by this compiler
 --> launch_in_kernel.cu:4:27
  |
4 |     if (threadIdx.x == 0) child<<<1, 32>>>(a);
  |                           ^^^^^^^^^^^^^^^^^^^
  |
help: launch it from the host, or move what it does into a `__device__` function and call that
