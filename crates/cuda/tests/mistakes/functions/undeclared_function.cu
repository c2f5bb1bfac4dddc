__device__ float square(float x)
{
    return x * x;
}

__global__ void squares(float *data)
{
    data[threadIdx.x] = sqaure(data[threadIdx.x]);
}
// ANCHOR: errors
error: use of undeclared identifier `sqaure`
 --> undeclared_function.cu:8:25
  |
8 |     data[threadIdx.x] = sqaure(data[threadIdx.x]);
  |                         ^^^^^^
  |
help: did you mean `square`?
