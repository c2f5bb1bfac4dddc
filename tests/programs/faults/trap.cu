// Stops on an input it cannot handle.
extern "C" __global__ void check(const int *in, int *out)
{
    int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (in[i] == 31)
        __trap(); // fault
    out[i] = in[i];
}
