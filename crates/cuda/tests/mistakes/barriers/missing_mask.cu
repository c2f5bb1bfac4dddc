__global__ void sum(float *data)
{
    float value = data[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down(value, offset);
    data[threadIdx.x] = value;
}
// ANCHOR: errors
error: use of undeclared identifier `__shfl_down`
 --> missing_mask.cu:5:18
  |
5 |         value += __shfl_down(value, offset);
  |                  ^^^^^^^^^^^
  |
help: write `__shfl_down_sync(0xffffffff, …)`: the first argument is the mask of participating lanes
