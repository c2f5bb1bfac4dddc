__device__ float clamp(float x)
{
    if (x < 0.0f)
        return 0.0f;
    if (x > 1.0f)
        return 1.0f;
}

__global__ void clamp_all(float *data)
{
    data[threadIdx.x] = clamp(data[threadIdx.x]);
}
// ANCHOR: warnings
warning[missing-return]: `clamp` does not return a value on all control paths
 --> missing_return.cu:7:1
  |
1 | __device__ float clamp(float x)
  |                  ----- declared to return a value here
...
7 | }
  | ^ control reaches this end without a `return`
  |
help: write `return` with a value on every path through the function
