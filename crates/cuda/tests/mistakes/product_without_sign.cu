__global__ void k(float *out)
{
    float x = out[0];
    out[0] = 2(x + 1.0f);
    out[1] = 2x;
}
