__global__ void sum(const float *data, float &total)
{
    atomicAdd(&total, data[threadIdx.x]);
}
// ANCHOR: errors
error: a kernel parameter cannot be a reference: it would refer to host memory
 --> reference_parameter.cu:1:40
  |
1 | __global__ void sum(const float *data, float &total)
  |                                        ^^^^^^^^^^^^
  |
help: pass the value itself, or a pointer to device memory
