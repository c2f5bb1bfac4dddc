__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a(3);
    a[0] = 1;
    out[i] = a[0];
}
