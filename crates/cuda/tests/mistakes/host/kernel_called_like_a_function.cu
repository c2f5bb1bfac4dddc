__global__ void child(float *data)
{
    data[threadIdx.x] = 0.0f;
}

__global__ void parent(float *data)
{
    child(data);
    child<<<1, 32>>>(data);
}
// ANCHOR: errors
error: a kernel cannot be called like a function
 --> kernel_called_like_a_function.cu:8:5
  |
1 | __global__ void child(float *data)
  |                 ----- `__global__` makes it a kernel
...
8 |     child(data);
  |     ^^^^^^^^^^^
  |
help: move what both need into a `__device__` function
