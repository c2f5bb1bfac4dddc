__device__ void clear(float *cell)
{
    *cell = 0.0f;
}

__global__ void clear_all(int *counts, double *sums)
{
    clear(&counts[threadIdx.x]);
    float *first = sums;
    *first = 1.0f;
}
