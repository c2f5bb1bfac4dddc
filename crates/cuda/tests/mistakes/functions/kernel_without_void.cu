__global__ scale(float *data)
{
    data[threadIdx.x] *= 2.0f;
}
// ANCHOR: errors
error: the return type of `scale` is missing
 --> kernel_without_void.cu:1:12
  |
1 | __global__ scale(float *data)
  |            ^^^^^
  |
help: write it before the name, such as `void scale(…)`
