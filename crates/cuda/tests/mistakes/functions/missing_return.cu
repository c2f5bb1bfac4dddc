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
warning[missing-return]: `clamp` may end here without a value to return
 --> missing_return.cu:7:1
  |
1 | __device__ float clamp(float x)
  |                  ----- it promises a value
...
7 | }
  | ^ no `return` on the way here
  |
help: write `return` with a value for every way through the function
