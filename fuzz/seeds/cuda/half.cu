#include <cuda_fp16.h>
__global__ void k(half2 *a, float4 *b, double *c)
{
    half2 h = __hfma2(a[0], a[1], __float2half2_rn(2.0f));
    float4 v = b[threadIdx.x];
    v.x += __half2float(h.x) * sinf(v.y) / sqrtf(v.z);
    b[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
    c[0] = fma(c[1], 3.0, exp(c[2])) + (double)(v.x > 0 ? 1 : -1);
    a[2] = h;
}
