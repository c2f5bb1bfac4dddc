// arch: compute_90
// The sum of a vector by tiles that pass through shared memory, with one or more tiles on their way while one is added.
//
// A block of 256 threads takes every gridDim.x-th tile of 1,024 floats, four for each thread. A thread adds the four that
// another one has brought, so that the tile has to be in shared memory.

#define THREADS 256

__device__ unsigned shared_address(const void *at) { return (unsigned)__cvta_generic_to_shared(at); }

// The instructions of <cuda_pipeline_primitives.h>, which needs the toolkit: __pipeline_memcpy_async of 16 bytes,
// __pipeline_commit and __pipeline_wait_prior.
__device__ void copy_async(void *to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING> __device__ void wait_prior() { asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory"); }

__device__ float added(float4 v) { return v.x + v.y + v.z + v.w; }

// ANCHOR: registers
// One tile at a time: each thread loads four floats, and stores them in shared memory when they have come.
extern "C" __global__ void registers(const float4 *in, float *out, int tiles) {
    __shared__ float4 tile[THREADS];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = blockIdx.x; k < tiles; k += gridDim.x) {
        tile[t] = in[THREADS * k + t];
        __syncthreads();
        sum += added(tile[(t + 32) % THREADS]);
        __syncthreads();
    }
    out[THREADS * blockIdx.x + t] = sum;
}
// ANCHOR_END: registers

// ANCHOR: async
// STAGES tiles of shared memory. While the threads add one, the copies of the next STAGES - 1 are on their way.
template <int STAGES> __device__ void staged(const float4 *in, float *out, int tiles) {
    __shared__ float4 tile[STAGES][THREADS];
    int t = threadIdx.x;
    float sum = 0.0f;
    auto fetch = [&](int n) {
        int k = blockIdx.x + n * gridDim.x;
        if (k < tiles) copy_async(&tile[n % STAGES][t], in + THREADS * k + t);
        commit();
    };
    for (int n = 0; n < STAGES - 1; n++) fetch(n);
    for (int n = 0; blockIdx.x + n * gridDim.x < tiles; n++) {
        fetch(n + STAGES - 1);
        wait_prior<STAGES - 1>();
        __syncthreads();
        sum += added(tile[n % STAGES][(t + 32) % THREADS]);
        __syncthreads();
    }
    out[THREADS * blockIdx.x + t] = sum;
}
// ANCHOR_END: async

extern "C" __global__ void async_1(const float4 *in, float *out, int tiles) { staged<1>(in, out, tiles); }
extern "C" __global__ void async_2(const float4 *in, float *out, int tiles) { staged<2>(in, out, tiles); }
extern "C" __global__ void async_4(const float4 *in, float *out, int tiles) { staged<4>(in, out, tiles); }
extern "C" __global__ void async_8(const float4 *in, float *out, int tiles) { staged<8>(in, out, tiles); }

// The instructions of <cuda/barrier> and <cuda/ptx>: a barrier in shared memory that counts bytes, and a bulk copy.
__device__ void prepare(unsigned long long *barrier) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}
__device__ void copy_bulk(void *to, const void *from, unsigned bytes, unsigned long long *barrier) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}
__device__ void wait(unsigned long long *barrier, unsigned phase) {
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(phase)
                     : "memory");
}

// ANCHOR: bulk
// The same with bulk copies: one thread asks for a whole tile, and all wait at the barrier that counts its bytes.
template <int STAGES> __device__ void bulk(const float4 *in, float *out, int tiles) {
    __shared__ alignas(128) float4 tile[STAGES][THREADS];
    __shared__ unsigned long long full[STAGES];
    int t = threadIdx.x;
    float sum = 0.0f;
    if (t < STAGES) prepare(&full[t]);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    auto fetch = [&](int n) {
        int k = blockIdx.x + n * gridDim.x;
        if (t == 0 && k < tiles) copy_bulk(tile[n % STAGES], in + THREADS * k, sizeof(tile[0]), &full[n % STAGES]);
    };
    for (int n = 0; n < STAGES - 1; n++) fetch(n);
    for (int n = 0; blockIdx.x + n * gridDim.x < tiles; n++) {
        fetch(n + STAGES - 1);
        wait(&full[n % STAGES], n / STAGES % 2);
        sum += added(tile[n % STAGES][(t + 32) % THREADS]);
        __syncthreads();
    }
    out[THREADS * blockIdx.x + t] = sum;
}
// ANCHOR_END: bulk

extern "C" __global__ void bulk_1(const float4 *in, float *out, int tiles) { bulk<1>(in, out, tiles); }
extern "C" __global__ void bulk_2(const float4 *in, float *out, int tiles) { bulk<2>(in, out, tiles); }
extern "C" __global__ void bulk_4(const float4 *in, float *out, int tiles) { bulk<4>(in, out, tiles); }
extern "C" __global__ void bulk_8(const float4 *in, float *out, int tiles) { bulk<8>(in, out, tiles); }
