template <typename T>
__device__ T zero()
{
    return T(0);
}

__global__ void clear(float *data)
{
    data[threadIdx.x] = zero();
}
// ANCHOR: errors
error: no matching function for call to `zero`: could not infer template argument `T`
 --> template_without_type.cu:9:25
  |
2 | __device__ T zero()
  |              ---- declared here
...
9 |     data[threadIdx.x] = zero();
  |                         ^^^^
  |
help: write it after the name, as in `zero<float>(…)`
