// Fourier transforms of 256 complex numbers a block (radix 2, in shared memory), and a number-theoretic one, which is exact.

extern "C" __global__ void complex_fft(const float2 *in, float2 *out)
{
    __shared__ float2 x[256];
    int t = threadIdx.x; // 128 of them
    for (int i = t; i < 256; i += 128)
        x[__brev(i) >> 24] = in[blockIdx.x * 256 + i];
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        int k = t & (half - 1), low = (t - k) * 2 + k, high = low + half;
        float s, c;
        sincospif(-(float)k / half, &s, &c);
        float2 a = x[low], b = x[high];
        float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
        x[low] = make_float2(a.x + turned.x, a.y + turned.y);
        x[high] = make_float2(a.x - turned.x, a.y - turned.y);
        __syncthreads();
    }
    for (int i = t; i < 256; i += 128)
        out[blockIdx.x * 256 + i] = x[i];
}

#define MODULUS 998244353u // 119 * 2^23 + 1; 3 is a primitive root

__device__ unsigned times(unsigned a, unsigned b)
{
    return (unsigned long long)a * b % MODULUS;
}

__device__ unsigned power(unsigned base, unsigned exponent)
{
    unsigned result = 1;
    for (; exponent; exponent >>= 1, base = times(base, base))
        if (exponent & 1)
            result = times(result, base);
    return result;
}

extern "C" __global__ void number_fft(const unsigned *in, unsigned *out)
{
    __shared__ unsigned x[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 128)
        x[__brev(i) >> 24] = in[i] % MODULUS;
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        int k = t & (half - 1), low = (t - k) * 2 + k, high = low + half;
        unsigned a = x[low], b = times(x[high], power(3, (MODULUS - 1) / (2 * half) * k));
        x[low] = a + b >= MODULUS ? a + b - MODULUS : a + b;
        x[high] = a >= b ? a - b : a + MODULUS - b;
        __syncthreads();
    }
    for (int i = t; i < 256; i += 128)
        out[i] = x[i];
}
