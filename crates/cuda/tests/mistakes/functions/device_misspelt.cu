__devide__ float square(float x)
{
    return x * x;
}

__global__ void apply(float *data)
{
    data[threadIdx.x] = square(data[threadIdx.x]);
}
// ANCHOR: errors
error: `__devide__` is no specifier of CUDA
 --> device_misspelt.cu:1:1
  |
1 | __devide__ float square(float x)
  | ^^^^^^^^^^
  |
help: did you mean `__device__`?
