// What C++ asks of a compiler: 128-bit integers, variable arrays, bit fields, virtual calls, lambdas, initialisers that run, unions, recursion, variadic printing.
#include <cstdio>
#include <new>
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
typedef __int128 i128; typedef unsigned __int128 u128;
__device__ __noinline__ u128 divided(u128 a, u128 b) { return a / b; }
__device__ __noinline__ i128 rest(i128 a, i128 b) { return a % b; }
extern "C" __global__ void wide(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0; auto put = [&](u128 v) { for (int j = 0; j < 4; j++) out[k++ * n + i] = unsigned(v >> 32 * j); };
    u128 a = (u128)hash(i) << 96 | (u128)hash(i + 1) << 64 | (u128)hash(i + 2) << 32 | hash(i + 3), b = a >> (i % 100 + 1) | 1; i128 c = (i128)a >> 3, d = -(i128)(b >> 5) - 1;
    put(a * b); put(divided(a, b)); put(rest(c, d)); put(c / d + a % b); put((a << (i & 127)) ^ (c >> (i & 127))); put(a > b ? (u128)(double)(a >> 60) : (u128)(float)i + (c < d));
}
struct Shape { __device__ virtual unsigned area(unsigned) const = 0; __device__ virtual ~Shape() {} unsigned tag; };
struct Square : Shape { __device__ Square(unsigned t) { tag = t; } __device__ unsigned area(unsigned x) const override { return x * x + tag; } };
struct Ring : virtual Shape { unsigned r; __device__ Ring(unsigned t) : r(t * 3) { tag = t; } __device__ unsigned area(unsigned x) const override { return (x + r) * 3 + tag; } };
struct Fields { unsigned a : 3, b : 7, c : 22; int d : 5; long long e : 40; };
union Bits { float f; unsigned u; unsigned char c[4]; };
struct Function { char room[32]; unsigned (*call)(void *, unsigned); template <class F> __device__ Function(F f) { new (room) F(f); call = [](void *p, unsigned x) { return (*(F *)p)(x); }; } __device__ unsigned operator()(unsigned x) { return call(room, x); } };
struct Table { unsigned (*f[3])(unsigned); const unsigned *p; int n; };
__device__ unsigned one(unsigned x) { return x + 1; } __device__ unsigned two(unsigned x) { return x * 2; } __device__ unsigned three(unsigned x) { return x ^ 3; }
__device__ unsigned values[4] = {3, 1, 4, 1}; __device__ Table table = {{one, two, three}, values + 1, 3}; __constant__ unsigned const *pointers[2] = {values, values + 2}; __constant__ struct { float f; short s[3]; char c; double d; } mixed = {1.5f, {1, -2, 3}, 'x', 2.25};
__device__ int (Fields::*none)() = nullptr; enum class Kind : unsigned char { A, B = 7, C };
template <class... T> __device__ unsigned sum(T... t) { return (0u + ... + unsigned(t)); }
extern "C" __global__ void objects(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0; auto put = [&](unsigned v) { out[k++ * n + i] = v; }; unsigned x = hash(i);
    Square s(i); Ring r(i); Shape *p = x & 1 ? (Shape *)&s : (Shape *)&r; put(p->area(x)); Shape *h = x & 2 ? (Shape *)new Square(5) : (Shape *)new Ring(6); put(h ? h->area(i) : 0); delete h;
    Fields f; f.a = x; f.b = x >> 3; f.c = x >> 10; f.d = int(x) >> 5; f.e = (long long)x << 13; put(f.a + f.b * 8 + f.c); put(f.d); put(unsigned(f.e >> 7)); Bits b; b.f = i * 0.37f; put(b.u ^ b.c[2]);
    unsigned captured = x >> 5; Function g([=](unsigned y) { return y + captured; }), m([&](unsigned y) { return y * captured + i; }); put(g(i)); put(m(i)); put((i & 1 ? g : m)(3)); put(table.f[i % 3](x)); put(table.p[i % 3] + table.n); put(pointers[i & 1][i >> 1 & 1]); put(unsigned(mixed.f * 4) + mixed.s[i % 3] + mixed.c + unsigned(mixed.d * 4));
    put(sum(i, 2.5f, 'c', (short)-3, 4ull)); Kind kind = x & 4 ? Kind::B : Kind::C; switch (kind) { case Kind::A: put(0); break; case Kind::B: put(11); break; default: put(22); } static __shared__ unsigned counter; if (threadIdx.x == 0) counter = 0; __syncthreads(); atomicAdd(&counter, x & 7); __syncthreads(); put(counter);
    unsigned fact = [](unsigned v) { unsigned r = 1; do r *= v--; while (v > 1); return r; }(i % 10 + 1); put(fact); put(__builtin_popcount(x) + __builtin_clz(x | 1)); goto end; put(0); end: put(sizeof(Fields) + alignof(Table));
    if (i == 3) printf("%d %5.2f|%-6s|%c %llx %p %% %08.3e %+i %u %ld %#o %g\n", -5, 3.14159, "abc", 'z', 0x123456789abcull, (void *)0, 12345.678, 7, 4000000000u, -9000000000L, 8, 0.0001);
}
extern "C" __global__ void stack(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x; int size = i % 7 + 1; unsigned *a = (unsigned *)alloca(size * sizeof(unsigned)); for (int j = 0; j < size; j++) a[j] = hash(i + j); unsigned s = 0; for (int j = size - 1; j >= 0; j--) s = s * 31 + a[j]; out[i] = s;
    unsigned *b = (unsigned *)__builtin_alloca(16 * size); b[size] = s; b[0] = 1; out[n + i] = b[size] + b[0] + (a[0] & 1);
    char text[40]; int at = 0; unsigned v = s; do text[at++] = '0' + v % 10; while (v /= 10); unsigned h = 5381; for (int j = at - 1; j >= 0; j--) h = h * 33 + text[j]; out[2 * n + i] = h; memcpy(text, &s, 4); memset(text + 4, 0xab, 13); out[3 * n + i] = *(unsigned *)(text + 4) ^ *(unsigned *)text ^ text[16];
}
