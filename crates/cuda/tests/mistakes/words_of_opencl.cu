__kernel__ void fill(float *out)
{
    out[threadIdx.x] = 1.0f;
}
