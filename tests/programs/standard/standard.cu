// libcu++: atomics of all scopes and orders, latches, semaphores, and the parts of std that kernels use.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/complex>
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/variant>
#include <cuda/std/bit>
#include <cuda/std/span>
#include <cuda/std/limits>
#include <cuda/std/functional>
#include <cuda/std/chrono>
#include <cuda/std/mdspan>
#include <cuda/std/expected>
#include <cuda/std/numeric>
#include <cuda/std/cmath>
#include <cuda/functional>
#include <cuda/cmath>
__device__ unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
template <cuda::thread_scope S> __device__ void orders(unsigned *at, unsigned v) {
    cuda::atomic_ref<unsigned, S> a(at[0]), b(at[1]), c(at[2]); cuda::atomic_ref<int, S> d(*(int *)(at + 3)); cuda::atomic_ref<float, S> f(*(float *)(at + 4)); cuda::atomic_ref<unsigned long long, S> l(*(unsigned long long *)(at + 6)); cuda::atomic_ref<unsigned char, S> ch(*(unsigned char *)(at + 8)); cuda::atomic_ref<unsigned short, S> sh(*(unsigned short *)(at + 9)); cuda::atomic_ref<double, S> dd(*(double *)(at + 10));
    a.fetch_add(v, cuda::memory_order_relaxed); a.fetch_sub(1, cuda::memory_order_acquire); b.fetch_or(1u << (v & 31), cuda::memory_order_release); b.fetch_xor(0, cuda::memory_order_acq_rel); c.fetch_max(v); d.fetch_min(-int(v), cuda::memory_order_seq_cst); f.fetch_add(1.0f); l.fetch_add(v); ch.fetch_add(1); sh.fetch_add(2); dd.fetch_add(0.5);
    unsigned e = a.load(cuda::memory_order_acquire); while (!a.compare_exchange_weak(e, e + 1, cuda::memory_order_acq_rel)) {}
    if (v == 1) at[12] = c.exchange(c.load(cuda::memory_order_relaxed), cuda::memory_order_acq_rel) * 0; cuda::atomic_thread_fence(cuda::memory_order_seq_cst, S);
}
extern "C" __global__ void atomics(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    orders<cuda::thread_scope_system>(out, i); orders<cuda::thread_scope_device>(out + 16, i);
    __shared__ alignas(8) unsigned s[16]; if (threadIdx.x < 16) s[threadIdx.x] = 0; __syncthreads(); orders<cuda::thread_scope_block>(s, threadIdx.x); __syncthreads(); if (threadIdx.x < 13 && blockIdx.x == 0) out[32 + threadIdx.x] = s[threadIdx.x];
    struct Pair { int a, b; }; __shared__ cuda::atomic<Pair, cuda::thread_scope_block> p; if (threadIdx.x == 0) p.store({0, 0}); __syncthreads(); Pair q = p.load(); while (!p.compare_exchange_strong(q, {q.a + 1, q.b + 2})) {} __syncthreads(); if (threadIdx.x == 0 && blockIdx.x == 0) { q = p.load(); out[50] = q.a; out[51] = q.b; }
}
extern "C" __global__ void sync(unsigned *out) {
    using L = cuda::latch<cuda::thread_scope_block>; __shared__ alignas(L) char room[sizeof(L)]; __shared__ unsigned sum; L *l = (L *)room;
    using B = cuda::counting_semaphore<cuda::thread_scope_block, 2>; __shared__ alignas(B) char sr[sizeof(B)]; B *b = (B *)sr;
    if (threadIdx.x == 0) { new (l) L(blockDim.x); new (b) B(2); sum = 0; } __syncthreads();
    atomicAdd(&sum, threadIdx.x); l->arrive_and_wait(); unsigned seen = atomicAdd(&sum, 0);
    b->acquire(); atomicAdd(&out[blockIdx.x], 1); b->release();
    if (threadIdx.x == 5) out[2 + blockIdx.x] = seen; 
    if (b->try_acquire()) b->release();
}
extern "C" __global__ void standard(double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0; using C = cuda::std::complex<double>;
    C a(int(hash(i)) * 1e-9, i * 0.1 + 0.01), b(0.5, -1.5 + i * 0.01), c = a * b + a / b; auto put = [&](double v) { out[k++ * n + i] = v; };
    put(c.real()); put(c.imag()); put(abs(a)); put(arg(b)); c = sqrt(a); put(c.real()); put(c.imag()); c = exp(b); put(c.imag()); c = log(a); put(c.real()); c = pow(a, b); put(c.real()); c = sin(b); put(c.imag()); c = cuda::std::polar(2.0, 0.3 * i); put(c.real()); put(norm(a)); c = tanh(b); put(c.real());
    cuda::std::array<double, 5> r{1.0 * i, 2, 3, 4, 5}; double s = 0; for (double v : r) s += v; put(s); cuda::std::span<double> sp(r.data(), 3); put(sp.back()); put(cuda::std::accumulate(r.begin(), r.end(), 0.5)); put(cuda::std::hypot(1.0 + i, 2.0)); put(cuda::std::lerp(1.0, 5.0, i * 0.01)); put(cuda::std::numeric_limits<double>::max()); put(cuda::std::midpoint(1.0, 4.0 + i));
}
extern "C" __global__ void words(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, k = 0; auto put = [&](unsigned v) { out[k++ * n + i] = v; }; unsigned x = hash(i);
    cuda::std::optional<unsigned> o; if (x & 1) o = x; put(o.value_or(7)); cuda::std::variant<int, float, unsigned long long> v; if (x & 2) v = 2.5f; else if (x & 4) v = 77ull; put(v.index()); put(cuda::std::visit([](auto y) { return unsigned(y); }, v)); auto t = cuda::std::make_tuple(x, 2.0f, 'c'); put(cuda::std::get<0>(t) + cuda::std::get<2>(t));
    put(cuda::std::popcount(x)); put(cuda::std::countl_zero(x)); put(cuda::std::countr_zero(x)); put(cuda::std::rotl(x, i & 31)); put(cuda::std::bit_ceil(x >> 1)); put(cuda::std::bit_cast<unsigned>(1.5f)); put(cuda::std::has_single_bit(x)); put(cuda::std::byteswap(x));
    cuda::std::expected<unsigned, int> e = x & 8 ? cuda::std::expected<unsigned, int>(x) : cuda::std::unexpected<int>(-1); put(e.has_value() ? *e : e.error()); unsigned a[6] = {x, x >> 3, x ^ 99, 4, i, hash(x)}; put(a[0]); put(a[3]);  cuda::std::mdspan<unsigned, cuda::std::extents<int, 2, 3>> m(a); put(m(1, 2)); put(cuda::std::gcd(x, 360u)); put(cuda::ceil_div(x, 7u)); put(unsigned(cuda::std::chrono::duration_cast<cuda::std::chrono::milliseconds>(cuda::std::chrono::seconds(i)).count()));
}
