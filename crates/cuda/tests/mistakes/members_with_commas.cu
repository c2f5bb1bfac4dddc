struct P { float x, float y; };
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    P p = {1, 2};
    out[i] = p.x;
}
