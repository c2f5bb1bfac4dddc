__global__ void work(float *data)
{
    blockDim.x = 256;
    threadIdx.x += 1;
    data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
error: `blockDim` cannot be changed: the launch sets it
 --> block_size_assigned.cu:3:5
  |
3 |     blockDim.x = 256;
  |     ^^^^^^^^^^

error: `threadIdx` cannot be changed: the launch sets it
 --> block_size_assigned.cu:4:5
  |
4 |     threadIdx.x += 1;
  |     ^^^^^^^^^^^
