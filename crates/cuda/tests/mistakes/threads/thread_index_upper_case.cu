__global__ void scale(float *data)
{
    int i = threadIdx.X;
    int j = threadIdx[0];
    int k = threadIdx.x();
    data[i + j + k] = 0.0f;
}
// ANCHOR: errors
error: no member named `X` in `threadIdx`
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
help: its members are `.x`, `.y` and so on

error: called object of type `unsigned int` is not a function
 --> thread_index_upper_case.cu:5:13
  |
5 |     int k = threadIdx.x();
  |             ^^^^^^^^^^^^^
  |
help: write `threadIdx.x` without parentheses after it
