__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = 0;
    whlie (j < n) { out[j] = x[j]; j++; }
}
