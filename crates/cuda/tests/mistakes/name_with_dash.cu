__global__ void k(float *out)
{
    float my-sum = 0.0f;
    my-sum = out[0];
}
