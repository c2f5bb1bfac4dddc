__global__ void sum(const float *data, float &total)
{
    atomicAdd(&total, data[threadIdx.x]);
}
// ANCHOR: warnings
warning[kernel]: a kernel parameter that is a reference refers to host memory, unless what is passed is managed
 --> reference_parameter.cu:1:40
  |
1 | __global__ void sum(const float *data, float &total)
  |                                        ^^^^^^^^^^^^
  |
help: pass the value itself, or a pointer to device memory
