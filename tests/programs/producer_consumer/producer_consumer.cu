// Warps that hand slots of a ring to each other by objects in shared memory (mbarrier), each operation as PTX: one warp
// fills, two empty, and one of these drops out half way.

#define SLOTS 3

__device__ unsigned address(const void *shared) { return (unsigned)__cvta_generic_to_shared(shared); }

__device__ void begin(unsigned long long *object, int threads)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(object)), "r"(threads) : "memory");
}

__device__ unsigned long long arrive(unsigned long long *object)
{
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address(object)) : "memory");
    return state;
}

__device__ unsigned long long drop(unsigned long long *object)
{
    unsigned long long state;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(address(object)) : "memory");
    return state;
}

__device__ unsigned pending(unsigned long long state)
{
    unsigned count;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    return count;
}

__device__ bool complete(unsigned long long *object, unsigned long long state)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(address(object)), "l"(state) : "memory");
    return done;
}

__device__ void wait(unsigned long long *object, unsigned parity)
{
    unsigned done;
    do
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(address(object)), "r"(parity) : "memory");
    while (!done);
}

extern "C" __global__ void ring(const int *in, int *out, int rounds)
{
    __shared__ int slot[SLOTS][32];
    __shared__ unsigned long long full[SLOTS], empty[SLOTS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        for (int s = 0; s < SLOTS; s++) {
            begin(&full[s], 32);
            begin(&empty[s], 64);
        }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < rounds; k++) {
        int s = k % SLOTS, turn = k / SLOTS;
        if (warp == 0) {
            wait(&empty[s], (turn & 1) ^ 1);
            slot[s][lane] = in[k * 32 + lane] * 3 + k;
            arrive(&full[s]);
        } else {
            wait(&full[s], turn & 1);
            sum = sum * 5 + slot[s][(lane * 3 + warp + k) % 32];
            // The last warp takes no slot from the second half on.
            if (warp == 2 && k + SLOTS >= rounds / 2) {
                drop(&empty[s]);
                if (k + 1 >= rounds / 2)
                    break;
            } else
                arrive(&empty[s]);
        }
    }
    out[threadIdx.x] = sum;
}

// What the state says before and after, and an object that is used anew for another number of threads.
extern "C" __global__ void states(int *out)
{
    __shared__ __align__(8) unsigned long long object;
    int t = threadIdx.x;
    if (t == 0)
        begin(&object, blockDim.x);
    __syncthreads();
    unsigned long long state = arrive(&object);
    unsigned before = pending(state);
    while (!complete(&object, state))
        ;
    __syncthreads();
    int seen = __syncthreads_count(before == t + 1);
    if (t == 0) {
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address(&object)) : "memory");
        begin(&object, 3);
        asm volatile("{ .reg .b64 s; mbarrier.arrive.noComplete.shared.b64 s, [%0], 2; }" ::"r"(address(&object)) : "memory");
    }
    __syncthreads();
    state = t == 0 ? arrive(&object) : 0;
    out[2 * t] = t == 0 ? pending(state) * 100 + complete(&object, state) : before >= 1 && before <= blockDim.x;
    out[2 * t + 1] = seen <= (int)blockDim.x;
}
