// The launch gives less dynamic shared memory than the kernel uses: 120 bytes for 32 floats.
extern __shared__ float values[];

extern "C" __global__ void reverse(const float *in, float *out)
{
    values[threadIdx.x] = in[threadIdx.x]; // fault
    __syncthreads();
    out[threadIdx.x] = values[31 - threadIdx.x];
}
