__constant__ float weights[16];

__global__ void set(const float *in, float *out)
{
    weights[threadIdx.x] = in[threadIdx.x];
    in[threadIdx.x] = 0.0f;
    out[threadIdx.x] = weights[0];
}
