__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    char c = "a";
    out[i] = c;
}
