__global__ void work(float *data, int n)
{
    float *scratch = malloc(n * sizeof(float));
    if (scratch) data[threadIdx.x] = scratch[0];
    free(scratch);
}
