__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    fro (int j = 0; j < n; j++) out[j] = x[j];
}
