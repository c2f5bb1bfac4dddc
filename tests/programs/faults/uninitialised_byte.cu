// The first kernel clears a buffer but for its last byte; the second one doubles all words.
extern "C" __global__ void clear(unsigned char *p, int n)
{
    int i = threadIdx.x;
    if (i < n - 1)
        p[i] = 0;
}

extern "C" __global__ void doubled(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] * 2; // fault
}
