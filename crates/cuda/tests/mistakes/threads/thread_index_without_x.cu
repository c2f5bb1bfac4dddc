__global__ void copy(float *to, const float *from)
{
    int i = threadIdx;
    to[i] = from[threadIdx];
}
// ANCHOR: errors
error: `threadIdx` has three components and is not a number
 --> thread_index_without_x.cu:3:13
  |
3 |     int i = threadIdx;
  |             ^^^^^^^^^
  |
help: write `threadIdx.x`, `threadIdx.y` or `threadIdx.z`

error: `threadIdx` has three components and is not a number
 --> thread_index_without_x.cu:4:18
  |
4 |     to[i] = from[threadIdx];
  |                  ^^^^^^^^^
  |
help: write `threadIdx.x`, `threadIdx.y` or `threadIdx.z`
