__constant__ weights[4];
__global__ void blur(const float *in, float *out)
{
    __shared__ tile[32];
    const last = 31;
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[last - threadIdx.x] * weights[0];
}
// ANCHOR: errors
error: the type of `weights` is missing
 --> type_missing.cu:1:14
  |
1 | __constant__ weights[4];
  |              ^^^^^^^
  |
help: write it before the name, such as `__constant__ float weights[…]`

error: the type of `tile` is missing
 --> type_missing.cu:4:16
  |
4 |     __shared__ tile[32];
  |                ^^^^
  |
help: write it before the name, such as `__shared__ float tile[…]`

error: the type of `last` is missing
 --> type_missing.cu:5:11
  |
5 |     const last = 31;
  |           ^^^^
  |
help: write it before the name, such as `const int last = …`
