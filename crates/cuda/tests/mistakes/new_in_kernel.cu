__global__ void work(float *data, int n)
{
    float *scratch = new float[n];
    scratch[threadIdx.x] = data[threadIdx.x];
    delete[] scratch;
}
