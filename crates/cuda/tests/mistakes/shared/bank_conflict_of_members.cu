struct Body { float x, y, z, mass; };

__global__ void masses(float *out, const Body *in)
{
    __shared__ Body tile[128];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x].mass;
}
// ANCHOR: warnings
warning[bank-conflict]: bank conflict: neighbouring threads along x access `tile` 4 words apart
 --> bank_conflict_of_members.cu:8:24
  |
8 |     out[threadIdx.x] = tile[127 - threadIdx.x].mass;
  |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 4-way: a warp needs 4 wavefronts for this access
  |
help: let neighbouring `threadIdx.x` access neighbouring words: give each member of a struct an array of its own, or access the whole struct at once
