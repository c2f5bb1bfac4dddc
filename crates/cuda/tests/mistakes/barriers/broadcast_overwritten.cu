__device__ float first(float *memory, float x)
{
    memory[threadIdx.x] = x;
    __syncthreads();
    return memory[0];
}

__global__ void twice(const float *in, float *out)
{
    __shared__ float memory[64];
    float a = first(memory, in[threadIdx.x]);
    float b = first(memory, in[threadIdx.x + 64]);
    out[threadIdx.x] = a + b;
}
// ANCHOR: warnings
warning[missing-barrier]: this overwrites an element of `memory` that another thread may still have to read
 --> broadcast_overwritten.cu:3:5
  |
3 |     memory[threadIdx.x] = x;
  |     ^^^^^^^^^^^^^^^^^^^^^^^ there is no barrier between the read and this store
4 |     __syncthreads();
5 |     return memory[0];
  |            --------- elements of other threads are read here
  |
help: write `__syncthreads();` before this store
