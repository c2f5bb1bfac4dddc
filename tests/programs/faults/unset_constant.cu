// Coefficients in constant memory that no copy from the host has set.
__constant__ float coefficients[4];
extern "C" __global__ void scale(const float *in, float *out)
{
    int t = threadIdx.x;
    out[t] = in[t] * coefficients[t % 4]; // fault
}
