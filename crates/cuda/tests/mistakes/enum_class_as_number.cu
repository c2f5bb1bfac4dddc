enum class C { Red, Green };
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = C::Red;
    out[i] = c;
}
