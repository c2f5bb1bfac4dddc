__devide__ float square(float x)
{
    return x * x;
}

__global__ void apply(float *data)
{
    data[threadIdx.x] = square(data[threadIdx.x]);
}
// ANCHOR: errors
error: unknown specifier `__devide__`
 --> device_misspelt.cu:1:1
  |
1 | __devide__ float square(float x)
  | ^^^^^^^^^^
  |
help: did you mean `__device__`?
