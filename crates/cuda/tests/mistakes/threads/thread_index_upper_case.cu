__global__ void scale(float *data)
{
    int i = threadIdx.X;
    int j = threadIdx[0];
    int k = threadIdx.x();
    data[i + j + k] = 0.0f;
}
// ANCHOR: errors
error: `threadIdx` has no `X`
 --> thread_index_upper_case.cu:3:23
  |
3 |     int i = threadIdx.X;
  |                       ^
  |
help: it has `.x`, `.y` and `.z`

error: `uint3` has no `operator[]`, so it cannot be used like this
 --> thread_index_upper_case.cu:4:13
  |
4 |     int j = threadIdx[0];
  |             ^^^^^^^^^^^^
  |
help: its parts are `.x`, `.y` and so on

error: this is `unsigned int`, not a function
 --> thread_index_upper_case.cu:5:13
  |
5 |     int k = threadIdx.x();
  |             ^^^^^^^^^^^^^
  |
help: write `threadIdx.x` without parentheses after it
