__global__ void k(int *out)
{
    int lane = threadIdx % 32;
    out[blockIdx * blockDim + lane] = 1;
}
// ANCHOR: errors
error: `threadIdx` has three components and is not a number
 --> remainder_of_coordinates.cu:3:16
  |
3 |     int lane = threadIdx % 32;
  |                ^^^^^^^^^
  |
help: write `threadIdx.x`, `threadIdx.y` or `threadIdx.z`

error: `blockIdx` has three components and is not a number
 --> remainder_of_coordinates.cu:4:9
  |
4 |     out[blockIdx * blockDim + lane] = 1;
  |         ^^^^^^^^
  |
help: write `blockIdx.x`, `blockIdx.y` or `blockIdx.z`
