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
error: `zero` cannot be called like this: the template's arguments are missing: `T` cannot be found out from the call
 --> template_without_type.cu:9:25
  |
2 | __device__ T zero()
  |              ---- declared here
...
9 |     data[threadIdx.x] = zero();
  |                         ^^^^
  |
help: write them after the name, as in `zero<float>(…)`
