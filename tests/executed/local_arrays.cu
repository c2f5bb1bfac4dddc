extern "C" __global__ void rotate(const int *in, int *out, int by)
{
    int v[8], i = (blockIdx.x * blockDim.x + threadIdx.x) % 128;
    for (int k = 0; k < 8; k++)
        v[k] = in[i * 8 + k];
    int s = 0;
    for (int k = 0; k < 8; k++)
        s += v[(k + by) & 7] * k;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void count_digits(const int *in, int *out)
{
    int seen[10] = {}, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int v = in[(i + k * 7) & 1023];
        seen[v % 10]++;
        seen[v / 10]++;
    }
    int most = 0;
    for (int d = 0; d < 10; d++)
        most = max(most, seen[d]);
    out[i] = most;
}
