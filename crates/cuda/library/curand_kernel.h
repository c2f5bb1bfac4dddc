// cuRAND's device functions: generators XORWOW (G. Marsaglia: Xorshift RNGs, 2003), Philox4x32-10 (J. Salmon et al.: Parallel random
// numbers: as easy as 1, 2, 3, 2011) and MRG32k3a (P. L'Ecuyer: Good parameters for combined multiple recursive random number
// generators, 1999), with the numbers of NVIDIA's library: the same seeds, subsequences, order of draws and distributions.
#pragma once
#include <curand.h>
#include <curand_xorwow.inc>
#define CURAND_2POW32_INV 2.3283064e-10f
#define CURAND_2POW32_INV_DOUBLE 2.3283064365386963e-10
#define CURAND_2POW53_INV_DOUBLE 1.1102230246251565e-16
#define CURAND_2PI 6.2831855f
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)

// What a pair has left over, and what for: 1 for a normal number, 2 for a log-normal one.
#define __CURAND_LEFT                                                                                                           \
    int boxmuller_flag;                                                                                                         \
    int boxmuller_flag_double;                                                                                                  \
    float boxmuller_extra;                                                                                                      \
    double boxmuller_extra_double;
struct curandStateXORWOW {
    unsigned d, v[5];
    __CURAND_LEFT
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;
    __CURAND_LEFT
};
struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    __CURAND_LEFT
};
#undef __CURAND_LEFT
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

template <typename State> __device__ inline void __curand_empty(State *state)
{
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

// XORWOW.
__device__ inline void __curand_step(unsigned *v)
{
    unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
__device__ inline unsigned curand(curandStateXORWOW_t *state)
{
    __curand_step(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}
// The state as many steps on as the polynomial says.
__device__ inline void __curand_jump(unsigned *state, const unsigned *polynomial)
{
    unsigned v[5] = {state[0], state[1], state[2], state[3], state[4]}, sum[5] = {};
    for (int word = 0; word < 5; word++) {
        unsigned bits = polynomial[word];
#pragma unroll 1
        for (int i = 0; i < 32; i++, bits >>= 1) {
            unsigned taken = 0 - (bits & 1);
#pragma unroll
            for (int k = 0; k < 5; k++)
                sum[k] ^= v[k] & taken;
            __curand_step(v);
        }
    }
    for (int k = 0; k < 5; k++)
        state[k] = sum[k];
}
// Twice the polynomial, or its square, modulo that of a step.
__device__ inline void __curand_shift(unsigned *q, unsigned bit)
{
    unsigned carry = 0 - (q[4] >> 31);
    for (int k = 4; k > 0; k--)
        q[k] = q[k] << 1 | q[k - 1] >> 31;
    q[0] = q[0] << 1 | bit;
    for (int k = 0; k < 5; k++)
        q[k] ^= __curand_xorwow_minimal[k] & carry;
}
__device__ inline void __curand_square(unsigned *q)
{
    unsigned old[5] = {q[0], q[1], q[2], q[3], q[4]}, square[5] = {};
    for (int word = 4; word >= 0; word--)
#pragma unroll 1
        for (int i = 31; i >= 0; i--) {
            __curand_shift(square, 0);
            __curand_shift(square, old[word] >> i & 1);
        }
    for (int k = 0; k < 5; k++)
        q[k] = square[k];
}
__device__ inline void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    state->d += 362437 * (unsigned)n;
    if (n < 1024) {
        for (unsigned i = 0; i < (unsigned)n; i++)
            __curand_step(state->v);
        return;
    }
    // x^n by the digits of n, the highest first.
    unsigned q[5] = {1, 0, 0, 0, 0};
    for (int i = 63 - __clzll((long long)n); i >= 0; i--) {
        __curand_square(q);
        if (n >> i & 1)
            __curand_shift(q, 0);
    }
    __curand_jump(state->v, q);
}
// 2^67 numbers each.
__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    for (int k = 0; k < 6 && n != 0; k++, n >>= 4)
        if (n & 15)
            __curand_jump(state->v, __curand_xorwow_digits[k][(n & 15) - 1]);
    if (n == 0)
        return;
    unsigned q[5];
    for (int k = 0; k < 5; k++)
        q[k] = __curand_xorwow_rest[k];
    for (; n != 0; n >>= 1) {
        if (n & 1)
            __curand_jump(state->v, q);
        __curand_square(q);
    }
}
__device__ inline void curand_init(
    unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW_t *state)
{
    unsigned low = ((unsigned)seed ^ 0xaad26b49) * 1099087573, high = ((unsigned)(seed >> 32) ^ 0xf7dcefdd) * 2591861531;
    state->d = 6615241 + high + low;
    state->v[0] = 123456789 + low;
    state->v[1] = 362436069 ^ low;
    state->v[2] = 521288629 + high;
    state->v[3] = 88675123 ^ high;
    state->v[4] = 5783321 + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    __curand_empty(state);
}

// Philox4x32-10.
__device__ inline uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long a = (unsigned long long)0xD2511F53 * c.x, b = (unsigned long long)0xCD9E8D57 * c.z;
        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ k.y, (unsigned)a);
        k.x += 0x9E3779B9;
        k.y += 0xBB67AE85;
    }
    return c;
}
__device__ inline void __curand_blocks(curandStatePhilox4_32_10_t *state, unsigned long long n)
{
    unsigned high = (unsigned)(n >> 32);
    state->ctr.x += (unsigned)n;
    high += state->ctr.x < (unsigned)n;
    state->ctr.y += high;
    if (state->ctr.y < high && ++state->ctr.z == 0)
        state->ctr.w++;
}
__device__ inline void __curand_next(curandStatePhilox4_32_10_t *state)
{
    if (++state->ctr.x == 0 && ++state->ctr.y == 0 && ++state->ctr.z == 0)
        state->ctr.w++;
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
__device__ inline unsigned __curand_word(const uint4 &v, unsigned at)
{
    return at == 0 ? v.x : at == 1 ? v.y : at == 2 ? v.z : v.w;
}
__device__ inline unsigned curand(curandStatePhilox4_32_10_t *state)
{
    unsigned result = __curand_word(state->output, state->STATE);
    if (++state->STATE == 4) {
        state->STATE = 0;
        __curand_next(state);
    }
    return result;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    uint4 old = state->output;
    __curand_next(state);
    uint4 now = state->output;
    switch (state->STATE) {
    case 1: return make_uint4(old.y, old.z, old.w, now.x);
    case 2: return make_uint4(old.z, old.w, now.x, now.y);
    case 3: return make_uint4(old.w, now.x, now.y, now.z);
    default: return old;
    }
}
__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->STATE += (unsigned)n & 3;
    n >>= 2;
    if (state->STATE > 3) {
        n++;
        state->STATE -= 4;
    }
    __curand_blocks(state, n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
// 2^66 numbers each.
__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->ctr.z += (unsigned)n;
    state->ctr.w += (unsigned)(n >> 32) + (state->ctr.z < (unsigned)n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
__device__ inline void curand_init(
    unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    state->STATE = 0;
    __curand_empty(state);
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

// MRG32k3a. Both moduli are 2^32 less a small number: what is above 2^32 comes back as its multiple.
template <unsigned Less> __device__ inline unsigned __curand_modulo(unsigned long long v)
{
    v = (v >> 32) * Less + (v & 0xffffffff);
    v = (v >> 32) * Less + (v & 0xffffffff);
    const unsigned modulus = 0u - Less;
    return v >= modulus ? (unsigned)(v - modulus) : (unsigned)v;
}
template <unsigned Less> __device__ inline unsigned __curand_product(unsigned a, unsigned b)
{
    return __curand_modulo<Less>((unsigned long long)a * b);
}
#define __CURAND_M1 209
#define __CURAND_M2 22853
// The next number, from 1 to the first modulus.
__device__ inline unsigned __curand_number(curandStateMRG32k3a_t *state)
{
    unsigned *a = state->s1, *b = state->s2;
    unsigned first =
        __curand_modulo<__CURAND_M1>(1403580ULL * a[1] + 810728ULL * (0u - __CURAND_M1 - a[0]));
    unsigned second =
        __curand_modulo<__CURAND_M2>(527612ULL * b[2] + 1370589ULL * (0u - __CURAND_M2 - b[0]));
    a[0] = a[1];
    a[1] = a[2];
    a[2] = first;
    b[0] = b[1];
    b[1] = b[2];
    b[2] = second;
    return first > second ? first - second : first - second - __CURAND_M1;
}
__device__ inline double curand_MRG32k3a(curandStateMRG32k3a_t *state) { return __curand_number(state); }
__device__ inline unsigned curand(curandStateMRG32k3a_t *state)
{
    return (unsigned)(__curand_number(state) * 1.000000048662);
}
template <unsigned Less> __device__ inline void __curand_power(unsigned *v, const unsigned (*step)[3], unsigned long long n)
{
    unsigned m[3][3], square[3][3], next[3];
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] = step[i / 3][i % 3];
#pragma unroll 1
    for (; n != 0; n >>= 1) {
        if (n & 1) {
            for (int i = 0; i < 3; i++) {
                unsigned long long sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += __curand_product<Less>(m[i][k], v[k]);
                next[i] = __curand_modulo<Less>(sum);
            }
            for (int i = 0; i < 3; i++)
                v[i] = next[i];
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                unsigned long long sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += __curand_product<Less>(m[i][k], m[k][j]);
                square[i][j] = __curand_modulo<Less>(sum);
            }
        for (int i = 0; i < 9; i++)
            m[i / 3][i % 3] = square[i / 3][i % 3];
    }
}
// Matrices of one step, of 2^76 and of 2^127.
static __device__ const unsigned __curand_mrg_steps[3][2][3][3] = {
    {{{0, 1, 0}, {0, 0, 1}, {4294156359, 1403580, 0}}, {{0, 1, 0}, {0, 0, 1}, {4293573854, 0, 527612}}},
    {{{82758667, 1871391091, 4127413238}, {3672831523, 69195019, 1871391091}, {3672091415, 3528743235, 69195019}},
     {{1511326704, 3759209742, 1610795712}, {4292754251, 1511326704, 3889917532}, {3859662829, 4292754251, 3708466080}}},
    {{{2427906178, 3580155704, 949770784}, {226153695, 1230515664, 3580155704}, {1988835001, 986791581, 1230515664}},
     {{1464411153, 277697599, 1610723613}, {32183930, 1464411153, 1022607788}, {2824425944, 32183930, 2093834863}}}};
__device__ inline void __curand_ahead(int which, unsigned long long n, curandStateMRG32k3a_t *state)
{
    __curand_power<__CURAND_M1>(state->s1, __curand_mrg_steps[which][0], n);
    __curand_power<__CURAND_M2>(state->s2, __curand_mrg_steps[which][1], n);
}
__device__ inline void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) { __curand_ahead(0, n, state); }
__device__ inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) { __curand_ahead(1, n, state); }
__device__ inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) { __curand_ahead(2, n, state); }
__device__ inline void curand_init(
    unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a_t *state)
{
    unsigned low = (unsigned)seed ^ 0x55555555, high = (unsigned)(seed >> 32) ^ 0xaaaaaaaa;
    for (int i = 0; i < 3; i++) {
        state->s1[i] = seed == 0 ? 12345 : __curand_product<__CURAND_M1>(i == 1 ? high : low, 12345);
        state->s2[i] = seed == 0 ? 12345 : __curand_product<__CURAND_M2>(i == 1 ? low : high, 12345);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    __curand_empty(state);
}

// Uniform numbers, in (0, 1].
__device__ inline float _curand_uniform(unsigned x) { return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2; }
__device__ inline double _curand_uniform_double(unsigned x) { return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE; }
__device__ inline double __curand_uniform53(unsigned x, unsigned y)
{
    unsigned long long bits = x ^ (unsigned long long)y << 21;
    return bits * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
}
__device__ inline float curand_uniform(curandStateXORWOW_t *state) { return _curand_uniform(curand(state)); }
__device__ inline float curand_uniform(curandStatePhilox4_32_10_t *state) { return _curand_uniform(curand(state)); }
__device__ inline float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)(__curand_number(state) * 2.3283065498378288e-10);
}
__device__ inline double curand_uniform_double(curandStateXORWOW_t *state)
{
    unsigned x = curand(state), y = curand(state);
    return __curand_uniform53(x, y);
}
__device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t *state) { return _curand_uniform_double(curand(state)); }
__device__ inline double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return __curand_number(state) * 2.3283065498378288e-10;
}
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    return make_float4(_curand_uniform(v.x), _curand_uniform(v.y), _curand_uniform(v.z), _curand_uniform(v.w));
}
__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    return make_double2(__curand_uniform53(v.x, v.y), __curand_uniform53(v.z, v.w));
}
__device__ inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

// Normal numbers, in pairs (G. Box, M. Muller: A note on the generation of random normal deviates, 1958).
__device__ inline float2 __curand_polar(float u, float v)
{
    float length = sqrtf(-2.0f * logf(u)), s, c;
    __sincosf(v, &s, &c);
    return make_float2(s * length, c * length);
}
__device__ inline double2 __curand_polar(double u, double v)
{
    double length = sqrt(-2.0 * log(u)), s, c;
    sincospi(v, &s, &c);
    return make_double2(s * length, c * length);
}
__device__ inline float2 _curand_box_muller(unsigned x, unsigned y)
{
    return __curand_polar(_curand_uniform(x), y * CURAND_2POW32_INV_2PI + CURAND_2POW32_INV_2PI / 2);
}
__device__ inline double2 __curand_box_muller(const uint4 &w)
{
    unsigned long long angle = w.z ^ (unsigned long long)w.w << 21;
    return __curand_polar(__curand_uniform53(w.x, w.y), angle * (CURAND_2POW53_INV_DOUBLE * 2) + CURAND_2POW53_INV_DOUBLE);
}
template <typename State> __device__ inline float2 curand_normal2(State *state)
{
    unsigned x = curand(state), y = curand(state);
    return _curand_box_muller(x, y);
}
__device__ inline float2 curand_normal2(curandStateMRG32k3a_t *state)
{
    float x = curand_uniform(state), y = curand_uniform(state) * CURAND_2PI;
    return __curand_polar(x, y);
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    float2 a = _curand_box_muller(v.x, v.y), b = _curand_box_muller(v.z, v.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
__device__ inline double2 curand_normal2_double(curandStateXORWOW_t *state)
{
    uint4 w;
    w.x = curand(state);
    w.y = curand(state);
    w.z = curand(state);
    w.w = curand(state);
    return __curand_box_muller(w);
}
__device__ inline double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) { return __curand_box_muller(curand4(state)); }
__device__ inline double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    double x = curand_uniform_double(state), y = curand_uniform_double(state) * 2;
    return __curand_polar(x, y);
}
__device__ inline double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}
// One at a time: the second of a pair is kept.
template <typename State> __device__ inline float curand_normal(State *state)
{
    if (state->boxmuller_flag == 1) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    float2 pair = curand_normal2(state);
    state->boxmuller_flag = 1;
    state->boxmuller_extra = pair.y;
    return pair.x;
}
template <typename State> __device__ inline double curand_normal_double(State *state)
{
    if (state->boxmuller_flag_double == 1) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    double2 pair = curand_normal2_double(state);
    state->boxmuller_flag_double = 1;
    state->boxmuller_extra_double = pair.y;
    return pair.x;
}

// Log-normal numbers.
template <typename State> __device__ inline float2 curand_log_normal2(State *state, float mean, float stddev)
{
    float2 pair = curand_normal2(state);
    return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y));
}
template <typename State> __device__ inline double2 curand_log_normal2_double(State *state, double mean, double stddev)
{
    double2 pair = curand_normal2_double(state);
    return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));
}
template <typename State> __device__ inline float4 curand_log_normal4(State *state, float mean, float stddev)
{
    float4 v = curand_normal4(state);
    return make_float4(expf(mean + stddev * v.x), expf(mean + stddev * v.y), expf(mean + stddev * v.z), expf(mean + stddev * v.w));
}
template <typename State> __device__ inline double4 curand_log_normal4_double(State *state, double mean, double stddev)
{
    double4 v = curand_normal4_double(state);
    return make_double4(exp(mean + stddev * v.x), exp(mean + stddev * v.y), exp(mean + stddev * v.z), exp(mean + stddev * v.w));
}
template <typename State> __device__ inline float curand_log_normal(State *state, float mean, float stddev)
{
    if (state->boxmuller_flag == 2) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    float2 pair = curand_log_normal2(state, mean, stddev);
    state->boxmuller_flag = 2;
    state->boxmuller_extra = pair.y;
    return pair.x;
}
template <typename State> __device__ inline double curand_log_normal_double(State *state, double mean, double stddev)
{
    if (state->boxmuller_flag_double == 2) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    double2 pair = curand_log_normal2_double(state, mean, stddev);
    state->boxmuller_flag_double = 2;
    state->boxmuller_extra_double = pair.y;
    return pair.x;
}

// Poisson's numbers: by products of uniform ones (D. Knuth: The Art of Computer Programming 2, 3.4.1) where few are expected, by
// rejection of a logistic curve's, and from a normal one where many are.
template <unsigned Function> __device__ inline float __curand_approximate(float v)
{
    float result;
    if constexpr (Function == 0)
        asm("rsqrt.approx.f32.ftz %0, %1;" : "=f"(result) : "f"(v));
    else if constexpr (Function == 1)
        asm("ex2.approx.f32.ftz %0, %1;" : "=f"(result) : "f"((float)(v * 1.4426950408889634)));
    else if constexpr (Function == 2)
        asm("rcp.approx.f32.ftz %0, %1;" : "=f"(result) : "f"(v));
    else {
        asm("lg2.approx.f32.ftz %0, %1;" : "=f"(result) : "f"(v));
        result = result * 0.69314718055994531;
    }
    return result;
}
// Logarithm of the factorial of n - 1 (from 9 on the series of J. Hart et al.: Computer approximations, 1968, number 5404).
__device__ inline double __curand_log_gamma(int n)
{
    if (n <= 8) {
        unsigned factorial = 1;
        for (int i = 2; i < n; i++)
            factorial *= i;
        return log((double)factorial);
    }
    double v = n, inverse = 1 / v, t = inverse * inverse, sum = -0.1633436431e-2;
    sum = sum * t + 0.83645878922e-3;
    sum = sum * t - 0.5951896861197e-3;
    sum = sum * t + 0.793650576493454e-3;
    sum = sum * t - 0.277777777735865004e-2;
    sum = sum * t + 0.833333333333331018375e-1;
    sum = sum * inverse + 0.918938533204672;
    double half = 0.5 * log(v), part = half * (v - 0.5);
    return (part - v) + (part + sum);
}
struct __curand_logistic {
    float alpha, beta, lambda;
    __device__ __curand_logistic(float lambda) : lambda(lambda)
    {
        alpha = 1.4324803507554091f * __curand_approximate<0>(lambda - 0.12400979329415655f) + 0.00025361074907033f;
        beta = 0.21096734870196546f * __curand_approximate<0>(lambda - 1.9738116413999942f) + 0.94201734077887530f;
    }
    __device__ float below(float x) const
    {
        float t = 1.0f + __curand_approximate<1>(alpha * (lambda - x) - beta);
        return __curand_approximate<2>(t * t);
    }
    __device__ float at(float below) const
    {
        float t = beta + __curand_approximate<3>(__curand_approximate<0>(below) - 1.0f);
        return -t * __curand_approximate<2>(alpha) + lambda;
    }
};
template <typename State> __device__ inline unsigned __curand_poisson_rejection(State *state, float lambda)
{
    __curand_logistic curve(lambda);
    float logarithm = __curand_approximate<3>(lambda);
    while (true) {
        float x = floorf(curve.at(curand_uniform(state))), z = curand_uniform(state);
        float v = (curve.below(x + 1.0f) - curve.below(x)) * 1.3f;
        float t = __curand_approximate<1>(-lambda + x * logarithm - (float)__curand_log_gamma((int)(1.0f + x)));
        if (z * v < t && v >= 1e-20)
            return (unsigned)x;
    }
}
template <typename State> __device__ inline unsigned __curand_poisson_product(State *state, float lambda)
{
    unsigned k = 0;
    for (float p = expf(lambda) * curand_uniform(state); p > 1.0f; p *= curand_uniform(state))
        k++;
    return k;
}
__device__ inline unsigned __curand_poisson_normal(double normal, double lambda)
{
    return (unsigned)(sqrt(lambda) * normal + lambda + 0.5);
}
template <typename State> __device__ inline unsigned curand_poisson(State *state, double lambda)
{
    return lambda < 64     ? __curand_poisson_product(state, (float)lambda)
           : lambda > 4000 ? __curand_poisson_normal(curand_normal_double(state), lambda)
                           : __curand_poisson_rejection(state, (float)lambda);
}
__device__ inline uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda)
{
    uint4 result;
    if (lambda > 4000) {
        double4 v = curand_normal4_double(state);
        return make_uint4(__curand_poisson_normal(v.x, lambda), __curand_poisson_normal(v.y, lambda),
            __curand_poisson_normal(v.z, lambda), __curand_poisson_normal(v.w, lambda));
    }
    result.x = curand_poisson(state, lambda);
    result.y = curand_poisson(state, lambda);
    result.z = curand_poisson(state, lambda);
    result.w = curand_poisson(state, lambda);
    return result;
}
