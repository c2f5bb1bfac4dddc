__device__ void load(__shared__ float *tile, const float *a) { tile[threadIdx.x] = a[threadIdx.x]; }
__global__ void copy(float *a)
{
    __shared__ float tile[256];
    load(tile, a);
    a[threadIdx.x] = tile[255 - threadIdx.x];
}
// ANCHOR: errors
error: a parameter cannot be `__shared__`
 --> shared_parameter.cu:1:22
  |
1 | __device__ void load(__shared__ float *tile, const float *a) { tile[threadIdx.x] = a[threadIdx.x]; }
  |                      ^^^^^^^^^^
  |
help: remove it: a pointer can point to any memory
