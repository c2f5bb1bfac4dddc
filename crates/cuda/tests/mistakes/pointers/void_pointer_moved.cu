__global__ void twice(float *data, size_t pitch, int width)
{
    float *row = (float *)((void *)data + threadIdx.y * pitch);
    if (threadIdx.x < width) row[threadIdx.x] *= 2.0f;
}
// ANCHOR: errors
error: arithmetic on a pointer to `void`, which has no size
 --> void_pointer_moved.cu:3:28
  |
3 |     float *row = (float *)((void *)data + threadIdx.y * pitch);
  |                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: cast to `char *` to count in bytes
