__global__ void reverse(int *data)
{
    __shared__ int tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
// ANCHOR: errors
error: the length of the shared array `tile` is missing
 --> dynamic_shared_without_extern.cu:3:20
  |
3 |     __shared__ int tile[];
  |                    ^^^^
  |
help: write it between the brackets, or write `extern __shared__` for a size that is given at the launch
