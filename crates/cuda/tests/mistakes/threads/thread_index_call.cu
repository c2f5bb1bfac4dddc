__global__ void k(float *a)
{
    int i = threadIdx(0);
    a[i] = 1.0f;
}
// ANCHOR: errors
error: `uint3` has no `operator()`, so it cannot be used like this
 --> thread_index_call.cu:3:13
  |
3 |     int i = threadIdx(0);
  |             ^^^^^^^^^^^^
  |
help: its members are `.x`, `.y` and so on
