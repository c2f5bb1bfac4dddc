__global__ void size(int *out)
{
    dim3 block = (16, 16);
    int threads = blockDim;
    out[threadIdx.x] = block.x * threads;
    out[threadIdx.x] = blockDim.x() * dim3(2, 2);
}
// ANCHOR: errors
error: `blockDim` has three components and is not a number
 --> dim3_in_kernel.cu:4:19
  |
4 |     int threads = blockDim;
  |                   ^^^^^^^^
  |
help: write `blockDim.x`, `blockDim.y` or `blockDim.z`

error: called object of type `unsigned int` is not a function
 --> dim3_in_kernel.cu:6:24
  |
6 |     out[threadIdx.x] = blockDim.x() * dim3(2, 2);
  |                        ^^^^^^^^^^^^
  |
help: write `blockDim.x` without parentheses after it
