__global__ void stage(const float4 *from, float4 *to)
{
    __shared__ float4 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    to[threadIdx.x] = tile[63 - threadIdx.x];
}
