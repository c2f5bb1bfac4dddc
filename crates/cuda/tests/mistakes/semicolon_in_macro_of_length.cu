#define N 16;
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[N];
    a[0] = x[i];
    out[i] = a[0] * N + 1;
}
