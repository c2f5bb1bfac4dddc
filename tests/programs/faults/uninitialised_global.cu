// The first kernel leaves out element 20, which has no value; the second one reads all.
extern "C" __global__ void some(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i != 20)
        p[i] = i;
}

extern "C" __global__ void all(const int *p, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = p[i] + 1; // fault
}
