// cuRAND's generators and distributions in kernels.
#include <curand_kernel.h>
extern "C" __global__ void generators(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0;
    curandStateMRG32k3a_t m; curand_init(99, i, 3, &m); for (int j = 0; j < 3; j++) out[k++ * n + i] = curand(&m);
    curandStatePhilox4_32_10_t p; curand_init(7, i, 2, &p); uint4 q = curand4(&p); out[k++ * n + i] = q.x; out[k++ * n + i] = q.w; out[k++ * n + i] = curand(&p);
    curandDirectionVectors32_t v; for (int j = 0; j < 32; j++) v[j] = 1u << (31 - j);
    curandStateSobol32_t s; curand_init(v, i, &s); out[k++ * n + i] = curand(&s); out[k++ * n + i] = curand(&s);
    curandStateScrambledSobol32_t t; curand_init(v, 12345u, i * 3, &t); out[k++ * n + i] = curand(&t);
    curandDirectionVectors64_t w; for (int j = 0; j < 64; j++) w[j] = 1ull << (63 - j);
    curandStateSobol64_t u; curand_init(w, i, &u); unsigned long long r = curand(&u); out[k++ * n + i] = r; out[k++ * n + i] = r >> 32;
}
extern "C" __global__ void distributions(float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0;
    curandStateXORWOW_t x; for (int j = 0; j < 5; j++) x.v[j] = 123456789u * (j + 1) + i; x.d = i; x.boxmuller_flag = x.boxmuller_flag_double = 0;
    curandStatePhilox4_32_10_t p; curand_init(7, i, 0, &p);
    curandStateMRG32k3a_t m; curand_init(99, i, 0, &m);
    out[k++ * n + i] = curand_uniform(&x); out[k++ * n + i] = curand_normal(&x); float2 a = curand_normal2(&x); out[k++ * n + i] = a.x + a.y; out[k++ * n + i] = curand_log_normal(&x, 0.1f, 0.5f); out[k++ * n + i] = curand_uniform_double(&x); out[k++ * n + i] = curand_normal_double(&x); out[k++ * n + i] = curand_poisson(&x, 5.5);
    float4 b = curand_uniform4(&p); out[k++ * n + i] = b.z; b = curand_normal4(&p); out[k++ * n + i] = b.y; out[k++ * n + i] = curand_poisson(&p, 100.0); double2 c = curand_normal2_double(&p); out[k++ * n + i] = c.x; uint4 d = curand_poisson4(&p, 2.0); out[k++ * n + i] = d.x + d.w;
    out[k++ * n + i] = curand_uniform(&m); out[k++ * n + i] = curand_normal(&m); out[k++ * n + i] = curand_uniform_double(&m); out[k++ * n + i] = curand_poisson(&m, 5000.0);
}
