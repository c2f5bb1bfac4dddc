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
