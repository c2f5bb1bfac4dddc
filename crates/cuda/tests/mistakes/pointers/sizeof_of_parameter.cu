__device__ float sum(float values[8])
{
    float s = 0;
    for (int i = 0; i < sizeof(values) / sizeof(values[0]); i++) s += values[i];
    return s;
}
__global__ void sums(float *out) { float v[8] = {1, 2, 3}; out[threadIdx.x] = sum(v); }
// ANCHOR: warnings
warning[sizeof-parameter]: `sizeof` gives the size of a pointer: the array parameter `values` is a pointer
 --> sizeof_of_parameter.cu:4:25
  |
4 |     for (int i = 0; i < sizeof(values) / sizeof(values[0]); i++) s += values[i];
  |                         ^^^^^^^^^^^^^^
  |
help: pass the number of elements too, or take a reference to the array: `float (&values)[8]`
