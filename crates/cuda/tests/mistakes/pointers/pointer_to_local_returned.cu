__device__ float *scratch(float x)
{
    float values[4] = {x, x, x, x};
    return values;
}

__global__ void use(float *data)
{
    float *p = scratch(data[0]);
    data[threadIdx.x] = p[1];
}
// ANCHOR: warnings
warning[dangling]: returning the address of a local variable, which ends with the function
 --> pointer_to_local_returned.cu:4:5
  |
4 |     return values;
  |     ^^^^^^^^^^^^^^
  |
help: let the caller pass an array, and fill that
