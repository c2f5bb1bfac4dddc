__device__ float twice(a)
{
    return 2 * a;
}

__global__ void k(float *p)
{
    p[0] = twice(p[1]);
}
// ANCHOR: errors
error: the type of the parameter `a` is missing
 --> untyped_device.cu:1:24
  |
1 | __device__ float twice(a)
  |                        ^
  |
help: write its type before it, such as `int a`
