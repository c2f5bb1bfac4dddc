__global__ void work(float *data, int n)
{
    float *scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    scratch[threadIdx.x] = data[threadIdx.x];
    cudaFree(scratch);
}
