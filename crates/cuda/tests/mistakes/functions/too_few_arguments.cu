__device__ float blend(float a, float b, float t)
{
    return a + t * (b - a);
}

__global__ void blend_all(float *data)
{
    data[threadIdx.x] = blend(data[threadIdx.x], 1.0f);
    data[0] = sqrtf();
}
// ANCHOR: errors
error: no matching function for call to `blend`: it takes 3 arguments, not 2
 --> too_few_arguments.cu:8:25
  |
1 | __device__ float blend(float a, float b, float t)
  |                  ----- declared here
...
8 |     data[threadIdx.x] = blend(data[threadIdx.x], 1.0f);
  |                         ^^^^^

error: no matching function for call to `sqrtf`: it takes 1 argument, not 0
 --> too_few_arguments.cu:9:15
  |
9 |     data[0] = sqrtf();
  |               ^^^^^
