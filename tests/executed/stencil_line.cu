#define R 3
extern "C" __global__ void stencil(const int *in, int *out, int n)
{
    __shared__ int s[256 + 2 * R];
    int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + R;
    s[l] = g < n ? in[g] : 0;
    if (threadIdx.x < R) {
        s[l - R] = g >= R ? in[g - R] : 0;
        s[l + 256] = g + 256 < n ? in[g + 256] : 0;
    }
    __syncthreads();
    int sum = 0;
    for (int d = -R; d <= R; d++)
        sum += s[l + d];
    if (g < n)
        out[g] = sum;
}
