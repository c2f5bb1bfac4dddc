__global__ void extremes(const double *in, const float *values, double *most, float *least, long *sum, char *seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(most, in[i]);
    atomicMin(least, values[i]);
    atomicAdd(sum, 1);
    atomicAdd(seen, 1);
    atomicSub(least, 1.0f);
}
