__global__ scale(float *data)
{
    data[threadIdx.x] *= 2.0f;
}
// ANCHOR: errors
error: `scale` has no type: what does it return?
 --> kernel_without_void.cu:1:12
  |
1 | __global__ scale(float *data)
  |            ^^^^^
  |
help: write the type of its result before it, such as `void scale(…)`
