enum class C { Red, Green };
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    C c = Red;
    out[i] = c == C::Green;
}
