__global__ void work(float *data)
{
    blockDim.x = 256;
    threadIdx.x += 1;
    data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
error: cannot assign to `blockDim`: it is set by the launch
 --> block_size_assigned.cu:3:5
  |
3 |     blockDim.x = 256;
  |     ^^^^^^^^^^

error: cannot assign to `threadIdx`: it is set by the launch
 --> block_size_assigned.cu:4:5
  |
4 |     threadIdx.x += 1;
  |     ^^^^^^^^^^^
