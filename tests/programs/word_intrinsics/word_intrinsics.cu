// Integer intrinsics: SIMD in a word, dot products, bits, wide products, averages.
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
#define W(f) f(a, b)
extern "C" __global__ void words(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    unsigned a = hash(3 * i), b = i % 5 ? hash(3 * i + 1) : a ^ 0x00800001u, c = hash(3 * i + 2);
    unsigned r[90] = {__vabs2(a), __vabs4(a), __vabsss2(a), __vabsss4(a), __vneg2(a), __vneg4(a), __vnegss2(a), __vnegss4(a),
        W(__vadd2), W(__vadd4), W(__vaddss2), W(__vaddss4), W(__vaddus2), W(__vaddus4), W(__vsub2), W(__vsub4), W(__vsubss2), W(__vsubss4), W(__vsubus2), W(__vsubus4),
        W(__vabsdiffs2), W(__vabsdiffs4), W(__vabsdiffu2), W(__vabsdiffu4), W(__vavgs2), W(__vavgs4), W(__vavgu2), W(__vavgu4), W(__vhaddu2), W(__vhaddu4),
        W(__vcmpeq2), W(__vcmpeq4), W(__vcmpges2), W(__vcmpges4), W(__vcmpgeu2), W(__vcmpgeu4), W(__vcmpgts2), W(__vcmpgts4), W(__vcmpgtu2), W(__vcmpgtu4), W(__vcmples2), W(__vcmples4), W(__vcmpleu2), W(__vcmpleu4), W(__vcmplts2), W(__vcmplts4), W(__vcmpltu2), W(__vcmpltu4), W(__vcmpne2), W(__vcmpne4),
        W(__vmaxs2), W(__vmaxs4), W(__vmaxu2), W(__vmaxu4), W(__vmins2), W(__vmins4), W(__vminu2), W(__vminu4), W(__vsads2), W(__vsads4), W(__vsadu2), W(__vsadu4),
        W(__vseteq2), W(__vseteq4), W(__vsetges4), W(__vsetgtu2), W(__vsetles2), W(__vsetltu4), W(__vsetne4),
        __dp4a(int(a), int(b), int(c)), __dp4a(a, b, c), __dp2a_lo(int(a), int(b), int(c)), __dp2a_hi(a, b, c), (unsigned)__sad(int(a), int(b), c), __usad(a, b, c), (unsigned)__mul24(int(a), int(b)), __umul24(a, b), (unsigned)__mulhi(int(a), int(b)), __umulhi(a, b), (unsigned)__hadd(int(a), int(b)), (unsigned)__rhadd(int(a), int(b)), __uhadd(a, b), __urhadd(a, b),
        (unsigned)__viaddmax_s32(a, b, c), __viaddmin_s16x2(a, b, c), __vimax3_u16x2(a, b, c), (unsigned)__vimin_s32_relu(a, b), __vimax_s16x2_relu(a, b), (unsigned)__vimax3_s32_relu(a, b, c), __viaddmax_u16x2(a, b, c)};
    for (int k = 0; k < 90; k++) out[k * n + i] = r[k];
}
extern "C" __global__ void bits(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    unsigned a = hash(3 * i) >> (i % 33 ? i % 32 : 0), b = hash(3 * i + 1), c = hash(3 * i + 2);
    unsigned long long A = (unsigned long long)a << 32 | b, B = (unsigned long long)c << 32 | hash(c), m64 = __umul64hi(A, B);
    long long s64 = __mul64hi((long long)A, (long long)B);
    bool p, q; 
    unsigned r[60] = {__brev(a), (unsigned)__clz(a), (unsigned)__ffs(a), (unsigned)__popc(a), __byte_perm(a, b, c), __funnelshift_l(a, b, c), __funnelshift_lc(a, b, c & 63), __funnelshift_r(a, b, c), __funnelshift_rc(a, b, c & 63),
        (unsigned)__brevll(A), (unsigned)(__brevll(A) >> 32), (unsigned)__clzll(A), (unsigned)__ffsll(A), (unsigned)__popcll(A), (unsigned)m64, (unsigned)(m64 >> 32), (unsigned)s64, (unsigned)(s64 >> 32), (unsigned)__fns(a, c & 31, int(b % 9) - 4),
        __vibmax_u32(a, b, &p), p, (unsigned)__vibmin_s32(a, b, &q), q, __vibmax_u16x2(a, b, &p, &q), p, q,
        __float_as_uint(__int2float_rd(a)), __float_as_uint(__uint2float_ru(b)), __float_as_uint(__ll2float_rz(A)), __float_as_uint(__ull2float_rn(B)), (unsigned)__float2int_rd(__uint_as_float(a)), __float2uint_ru(__uint_as_float(b)), (unsigned)__float2ll_rn(__uint_as_float(c)), (unsigned)(__float2ull_rz(__uint_as_float(c)) >> 32),
        (unsigned)(A / (B | 1)), (unsigned)(A % (B | 1)), (unsigned)((long long)A / (long long)(B | 1)), (unsigned)((long long)A % (long long)(B | 1)), a / (b | 1), a % (c | 1), (unsigned)(int(a) / int(b | 1)), (unsigned)(int(a) % int(c | 1)), (unsigned)(A / (c | 1)), (unsigned)((long long)B % int(c | 1)),
        (unsigned)__double2hiint(__hiloint2double(a, b)), 0u};
    for (int k = 0; k < 60; k++) out[k * n + i] = r[k];
}
