__global__ void filter(float *data)
{
    __constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
    data[threadIdx.x] *= weights[1];
}
// ANCHOR: errors
error: `__constant__` variables must be declared outside functions
 --> constant_in_kernel.cu:3:5
  |
3 |     __constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
  |     ^^^^^^^^^^^^
  |
help: move the declaration before the kernel; `__shared__` ones may stay in it
