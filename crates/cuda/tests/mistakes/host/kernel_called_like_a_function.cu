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
  |                 ----- it is a kernel by its `__global__`
...
8 |     child(data);
  |     ^^^^^^^^^^^
  |
help: make what both need a `__device__` function

error: a kernel cannot launch a kernel here
 --> kernel_called_like_a_function.cu:9:5
  |
9 |     child<<<1, 32>>>(data);
  |     ^^^^^^^^^^^^^^^^^^^^^^
  |
help: launch it from the host, or write what it does as a `__device__` function and call that
