extern "C" __global__ void count_all(const int *in, int *count, int *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i];
    if (v < 0)
        atomicAdd(&count[0], 1);
    else if (v == 0)
        atomicAdd(&count[1], 1);
    else
        atomicAdd(&count[2], v);
    atomicMax(&best[0], v);
    atomicMin(&best[1], v);
    atomicOr((unsigned *)&count[3], 1u << (v & 31));
}
