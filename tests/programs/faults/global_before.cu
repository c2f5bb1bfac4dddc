// A stencil without a guard on the left: thread 0 reads one byte before the buffer, in a function that is called.
__device__ __noinline__ int left_of(const unsigned char *p, int distance)
{
    return distance > 0 ? p[-distance] : 0; // fault
}

extern "C" __global__ void difference(const unsigned char *in, int *out, int distance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] - left_of(in + i, distance);
}
