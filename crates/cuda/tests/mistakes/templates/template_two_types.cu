template <typename T>
__device__ T larger(T a, T b)
{
    return a > b ? a : b;
}

__global__ void clear(float *data)
{
    data[threadIdx.x] = larger(data[threadIdx.x], 0);
}
// ANCHOR: errors
error: no matching function for call to `larger`: deduced conflicting types for the template parameter: argument 2 is `int`, unlike argument 1
 --> template_two_types.cu:9:25
  |
2 | __device__ T larger(T a, T b)
  |              ------ declared here
...
9 |     data[threadIdx.x] = larger(data[threadIdx.x], 0);
  |                         ^^^^^^
  |
help: cast one of them, or say the type: `larger<float>(…)`
