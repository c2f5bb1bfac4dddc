__constant__ float weights[16];

__global__ void set(const float *in, float *out)
{
    weights[threadIdx.x] = in[threadIdx.x];
    in[threadIdx.x] = 0.0f;
    out[threadIdx.x] = weights[0];
}
// ANCHOR: errors
error: `weights` lies in constant memory: a kernel can only read it
 --> constant_written.cu:5:5
  |
1 | __constant__ float weights[16];
  |                    ------- declared here
...
5 |     weights[threadIdx.x] = in[threadIdx.x];
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: the host fills it with `cudaMemcpyToSymbol` before the launch; what kernels write is `__device__`

error: `in[threadIdx.x]` is `const`, so it cannot be changed
 --> constant_written.cu:6:5
  |
3 | __global__ void set(const float *in, float *out)
  |                                  -- `in` is declared here, with `const`
...
6 |     in[threadIdx.x] = 0.0f;
  |     ^^^^^^^^^^^^^^^^^^^^^^
  |
help: remove the `const` there if it is to be changed
