__device__ float twice(float x) { return 2.0f * x; }

__global__ void apply(float *data, int which)
{
    float (*function)(float) = which ? twice : nullptr;
    data[threadIdx.x] = function(data[threadIdx.x]);
}
// ANCHOR: errors
error: function pointers are not supported by this compiler
 --> function_pointer.cu:5:32
  |
5 |     float (*function)(float) = which ? twice : nullptr;
  |                                ^^^^^^^^^^^^^^^^^^^^^^^
  |
help: call the function by its name on either side, or pass a lambda to a template
