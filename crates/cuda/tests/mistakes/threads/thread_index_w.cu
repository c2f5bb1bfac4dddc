__global__ void copy(float *to, const float *from)
{
    int i = threadIdx.i;
    to[i] = from[i];
}
// ANCHOR: errors
error: no member named `i` in `threadIdx`
 --> thread_index_w.cu:3:23
  |
3 |     int i = threadIdx.i;
  |                       ^
  |
help: it has `.x`, `.y` and `.z`
