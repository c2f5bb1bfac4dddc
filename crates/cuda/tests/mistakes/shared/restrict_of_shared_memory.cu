__device__ float neighbour(float *__restrict__ p, int t, float x)
{
    p[t] = x;
    __syncthreads();
    return p[(t + 1) % 64];
}

__global__ void turn(const float *in, float *out)
{
    __shared__ float s[64];
    out[threadIdx.x] = neighbour(s, threadIdx.x, in[threadIdx.x]);
}
// ANCHOR: warnings
warning[restrict-shared]: `p` is `__restrict__`, but other threads store elements that are read through it
  --> restrict_of_shared_memory.cu:1:48
   |
 1 | __device__ float neighbour(float *__restrict__ p, int t, float x)
   |                                                ^ promises that what is stored through this pointer is accessed only through it
...
11 |     out[threadIdx.x] = neighbour(s, threadIdx.x, in[threadIdx.x]);
   |                                  - shared memory is passed here
   |
help: remove `__restrict__`: the compiler may keep an element in a register across `__syncthreads()`
