__global__ void scale(float *data float factor, int n)
{
    if (threadIdx.x < n)
        data[threadIdx.x] *= factor;
}
