__global__ void size(int *out)
{
    dim3 block = (16, 16);
    int threads = blockDim;
    out[threadIdx.x] = block.x * threads;
    out[threadIdx.x] = blockDim.x() * dim3(2, 2);
}
