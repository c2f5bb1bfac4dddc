__global__ void clamp(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    float x = in[i] if i < n else 0.0f;
    out[i] = if x > 1.0f { 1.0f } else { x };
}
