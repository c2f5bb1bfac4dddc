__global__ void k(int *out)
{
    int lane = threadIdx % 32;
    out[blockIdx * blockDim + lane] = 1;
}
