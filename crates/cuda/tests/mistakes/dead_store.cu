__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float local[4];
    local[0] = in[i];
    local[1] = 2.0f;
    float result = in[i] * 2.0f;
    result = in[i] * 3.0f;
    out[i] = result;
}
