float square(float x)
{
    return x * x;
}

__global__ void squares(float *data)
{
    data[threadIdx.x] = square(data[threadIdx.x]);
}
// ANCHOR: errors
error: `square` is a host function: a kernel cannot call it
 --> function_without_device.cu:8:25
  |
1 | float square(float x)
  |       ------ declared here, without `__device__`
...
8 |     data[threadIdx.x] = square(data[threadIdx.x]);
  |                         ^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: write `__device__` before the declaration of `square`
