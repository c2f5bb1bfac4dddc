__global__ void stage(const float4 *from, float4 *to)
{
    __shared__ float4 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    to[threadIdx.x] = tile[63 - threadIdx.x];
}
// ANCHOR: errors
error: use of undeclared identifier `__pipeline_memcpy_async`
 --> pipeline_without_header.cu:4:5
  |
4 |     __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], 16);
  |     ^^^^^^^^^^^^^^^^^^^^^^^
  |
help: write `#include <cuda_pipeline.h>` at the beginning of the file

error: use of undeclared identifier `__pipeline_commit`
 --> pipeline_without_header.cu:5:5
  |
5 |     __pipeline_commit();
  |     ^^^^^^^^^^^^^^^^^
  |
help: write `#include <cuda_pipeline.h>` at the beginning of the file

error: use of undeclared identifier `__pipeline_wait_prior`
 --> pipeline_without_header.cu:6:5
  |
6 |     __pipeline_wait_prior(0);
  |     ^^^^^^^^^^^^^^^^^^^^^
  |
help: write `#include <cuda_pipeline.h>` at the beginning of the file
