// The hardware's hyperbolic tangent, where it has one.
#pragma once
#if __CUDA_ARCH__ >= 750
__device__ inline float __tanhf(float x) { return __builtin_tanh_approx(x); }
#else
__device__ inline float __tanhf(float x) { return tanhf(x); }
#endif
