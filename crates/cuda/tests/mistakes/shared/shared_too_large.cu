__global__ void transpose(float *data)
{
    __shared__ float tile[128][128];
    tile[threadIdx.y][threadIdx.x] = data[threadIdx.y * 128 + threadIdx.x];
    __syncthreads();
    data[threadIdx.y * 128 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// ANCHOR: errors
error: a block has 49152 bytes of shared memory, but `tile` needs 65536
 --> shared_too_large.cu:3:22
  |
3 |     __shared__ float tile[128][128];
  |                      ^^^^ 65536 bytes
  |
help: make it smaller; for more, write `extern __shared__ T name[];` and have the host raise `cudaFuncAttributeMaxDynamicSharedMemorySize` before the launch

warning[bank-conflict]: bank conflict: neighbouring threads along x access `tile` 128 words apart
 --> shared_too_large.cu:6:45
  |
6 |     data[threadIdx.y * 128 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  |                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 32-way: a warp needs 32 wavefronts for this access, in a block that is 32 wide
  |
help: let neighbouring `threadIdx.x` access neighbouring elements, or pad the rows by one element, as in `float tile[32][33]`
