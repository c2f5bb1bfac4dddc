__global__ void transpose(float *out, const float *in)
{
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// ANCHOR: warnings
warning[bank-conflict]: bank conflict: neighbouring threads along x access `tile` 32 words apart
 --> bank_conflicts.cu:6:43
  |
6 |     out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 32-way: a warp needs 32 wavefronts for this access, in a block that is 32 wide
  |
help: let neighbouring `threadIdx.x` access neighbouring elements, or pad the rows by one element, as in `float tile[32][33]`
