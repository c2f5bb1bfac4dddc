// A histogram with one bin too few: the one thread whose value is 16 counts beyond it.
extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[in[i] == 99 ? 16 : in[i] % 16], 1); // fault
}
