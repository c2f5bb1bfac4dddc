__device__ int steps(int n)
{
    int k = 0;
    while (n > 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        k++;
    }
    return k;
}
extern "C" __global__ void collatz(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = steps(in[i] + 1);
}
extern "C" __global__ void gcds(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a = in[i] + 1, b = in[1023 - i] + 1;
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    out[i] = a;
}
