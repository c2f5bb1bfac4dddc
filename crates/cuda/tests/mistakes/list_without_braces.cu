__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a[3] = 1, 2, 3;
    out[i] = a[0];
}
