// Numbers of 8 bits, and of 6 and 4.
#include <cuda_fp8.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
extern "C" __global__ void eight(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    float f = (int(hash(i)) >> 12) * (i % 7 ? 1e-3f : 1e-8f), g = __uint_as_float(hash(i));
    __nv_fp8_e4m3 a(f), b(g); __nv_fp8_e5m2 c(f), d(g);
    __nv_fp8x2_e4m3 p(make_float2(f, g)); __nv_fp8x4_e5m2 q(make_float4(f, g, -f, 1.0f));
    __half_raw h = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(i & 255), __NV_E4M3); __half2_raw h2 = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(i * 7), __NV_E5M2);
    unsigned r[24] = {a.__x, b.__x, c.__x, d.__x, p.__x, q.__x, h.x, h2.x, h2.y, __float_as_uint(float(a)), __float_as_uint(float(d)), __nv_cvt_float_to_fp8(g, __NV_NOSAT, __NV_E4M3), __nv_cvt_float_to_fp8(g, __NV_NOSAT, __NV_E5M2),
        __nv_cvt_double_to_fp8(f * 1.5, __NV_SATFINITE, __NV_E4M3), __nv_cvt_halfraw_to_fp8(__half_raw(__float2half(f)), __NV_SATFINITE, __NV_E4M3), __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(__float2bfloat16(g)), __NV_SATFINITE, __NV_E5M2), (unsigned)(int)a, (unsigned)bool(c), __half_as_ushort(__half(0.5f)), __bfloat16_as_ushort(__nv_bfloat16(a)), (unsigned)(signed char)(c)};
    for (int k = 0; k < 24; k++) out[k * n + i] = r[k];
}
