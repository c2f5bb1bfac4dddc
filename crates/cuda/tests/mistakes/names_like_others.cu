__constant__ float taps[8];

__global__ void filter(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += coef[k] * in[i + k];
    if (i < N && ture) out[i] = cosff(sum) + tap[0] + __ldgg(in);
}
