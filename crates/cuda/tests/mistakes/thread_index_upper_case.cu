__global__ void scale(float *data)
{
    int i = threadIdx.X;
    int j = threadIdx[0];
    int k = threadIdx.x();
    data[i + j + k] = 0.0f;
}
