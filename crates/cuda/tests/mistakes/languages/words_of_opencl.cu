__kernel__ void fill(float *out)
{
    out[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: `__kernel__` is no specifier of CUDA
 --> words_of_opencl.cu:1:1
  |
1 | __kernel__ void fill(float *out)
  | ^^^^^^^^^^
  |
help: did you mean `__global__`?
