// A float4 is read from an address that is only a multiple of 4.
extern "C" __global__ void sum_of_four(const float *in, float *out)
{
    const float4 v = *(const float4 *)(in + 1 + 4 * threadIdx.x); // fault
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
