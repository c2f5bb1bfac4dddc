__global__ void blur(float *out, const float *in)
{
    if (threadIdx.x - 1 >= 0)
        out[threadIdx.x] = in[threadIdx.x - 1];
    if (threadIdx.x < 0)
        out[0] = 0.0f;
}
