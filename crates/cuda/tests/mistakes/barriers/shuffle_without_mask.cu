__global__ void sum(float *data)
{
    float v = data[threadIdx.x];
    v += __shfl_down_sync(v, 16);
    v += __shfl_xor(v, 8);
    __syncwarp;
    if (__any(v > 0))
        data[threadIdx.x] = v;
}
// ANCHOR: errors
error: no matching function for call to `__shfl_down_sync`: it takes 3 to 4 arguments, not 2
 --> shuffle_without_mask.cu:4:10
  |
4 |     v += __shfl_down_sync(v, 16);
  |          ^^^^^^^^^^^^^^^^
  |
help: the first argument is the mask of participating lanes: `__shfl_down_sync(0xffffffff, …)`

error: use of undeclared identifier `__shfl_xor`
 --> shuffle_without_mask.cu:5:10
  |
5 |     v += __shfl_xor(v, 8);
  |          ^^^^^^^^^^
  |
help: write `__shfl_xor_sync(0xffffffff, …)`: the first argument is the mask of participating lanes

warning[unused]: reference to `__syncwarp` has no effect: it is not called
 --> shuffle_without_mask.cu:6:5
  |
6 |     __syncwarp;
  |     ^^^^^^^^^^
  |
help: call it: `__syncwarp()`

error: use of undeclared identifier `__any`
 --> shuffle_without_mask.cu:7:9
  |
7 |     if (__any(v > 0))
  |         ^^^^^
  |
help: write `__any_sync(0xffffffff, …)`: the first argument is the mask of participating lanes
