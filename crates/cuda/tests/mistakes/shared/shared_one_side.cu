__global__ void k(float *a)
{
    __shared float tile[32];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = tile[31 - threadIdx.x];
}
// ANCHOR: errors
error: unknown specifier `__shared`
 --> shared_one_side.cu:3:5
  |
3 |     __shared float tile[32];
  |     ^^^^^^^^
  |
help: did you mean `__shared__`?
