__global__ void clamp(float *data)
{
    int i = threadIdx.x;
    fminf(data[i], 1.0f);
    data[i] + 1.0f;
    i;
    data[i] == 0.0f;
}
