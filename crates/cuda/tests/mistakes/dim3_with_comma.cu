__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    dim3 d = 3, 4;
    out[i] = d.x;
}
