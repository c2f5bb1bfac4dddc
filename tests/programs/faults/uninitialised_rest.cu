// Clears as many bytes as there are words; the rest has no value when the second kernel adds to it.
extern "C" __global__ void clear(unsigned char *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = 0;
}

extern "C" __global__ void count(int *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] += i; // fault
}
