__constant__ float weights[16];

__global__ void set(const float *in, float *out)
{
    weights[threadIdx.x] = in[threadIdx.x];
    in[threadIdx.x] = 0.0f;
    out[threadIdx.x] = weights[0];
}
// ANCHOR: errors
error: cannot assign to `weights`: it is in constant memory, which a kernel can only read
 --> constant_written.cu:5:5
  |
1 | __constant__ float weights[16];
  |                    ------- declared here
...
5 |     weights[threadIdx.x] = in[threadIdx.x];
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: the host fills it with `cudaMemcpyToSymbol` before the launch; declare what kernels write `__device__`

error: cannot assign to `in[threadIdx.x]`: it is `const`
 --> constant_written.cu:6:5
  |
3 | __global__ void set(const float *in, float *out)
  |                                  -- `in` is declared `const` here
...
6 |     in[threadIdx.x] = 0.0f;
  |     ^^^^^^^^^^^^^^^^^^^^^^
  |
help: remove that `const` if the variable is meant to change
