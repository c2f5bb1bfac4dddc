__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&x[i], 1.0f);
}
// ANCHOR: errors
error: no matching function for call to `atomicAdd`: its first argument points to `const` data
 --> atomic_of_const.cu:4:15
  |
4 |     atomicAdd(&x[i], 1.0f);
  |               ^^^^^
