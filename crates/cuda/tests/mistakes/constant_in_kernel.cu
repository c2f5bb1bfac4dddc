__global__ void filter(float *data)
{
    __constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
    data[threadIdx.x] *= weights[1];
}
