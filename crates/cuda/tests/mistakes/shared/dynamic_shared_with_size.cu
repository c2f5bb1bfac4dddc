extern __shared__ int tile[64];

__global__ void reverse(int *data)
{
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
// ANCHOR: warnings
warning[extern-shared-size]: `tile` gets its size from the launch, not from this `64`
 --> dynamic_shared_with_size.cu:1:23
  |
1 | extern __shared__ int tile[64];
  |                       ^^^^
  |
help: write `tile[]`, and pass the number of bytes as the launch's third argument
