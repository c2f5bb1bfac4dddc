__kernel__ void fill(float *out)
{
    out[threadIdx.x] = 1.0f;
}
// ANCHOR: errors
error: unknown specifier `__kernel__`
 --> words_of_opencl.cu:1:1
  |
1 | __kernel__ void fill(float *out)
  | ^^^^^^^^^^
  |
help: did you mean `__global__`?
