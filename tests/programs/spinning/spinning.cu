// Threads that wait for one another: blocks that hand a value on, the last block of a grid, warps that produce and warps
// that consume with named barriers, a ring buffer of slots with flags, a ticket lock, and tasks taken from a counter.

// Block b waits for block b - 1; blocks take their numbers when they start.
extern "C" __global__ void relay(volatile int *flags, volatile int *values, int *order)
{
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = atomicAdd(order, 1);
        int v = 1;
        if (mine > 0) {
            while (flags[mine - 1] == 0)
                ;
            __threadfence();
            v = values[mine - 1] * 3 + mine;
        }
        values[mine] = v;
        __threadfence();
        flags[mine] = 1;
    }
    __syncthreads();
}

// Each block sums its part, and the last one to finish sums the sums.
extern "C" __global__ void last_block(const float *in, float *parts, float *total, unsigned *finished, int n)
{
    __shared__ float sums[64];
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            sums[threadIdx.x] += sums[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sums[0];
        __threadfence();
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float all = 0;
        for (int b = 0; b < gridDim.x; b++)
            all += *(volatile float *)(parts + b);
        *total = all;
    }
}

// Warp 0 fills two buffers in turn, warps 1 and 2 empty them: full and empty are barriers of 96 threads each.
extern "C" __global__ void __launch_bounds__(96) warps(const int *in, int *out, int rounds)
{
    __shared__ int buffers[2][64];
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32)
        for (int r = 0; r < rounds; r++) {
            if (r >= 2)
                asm volatile("bar.sync %0, 96;" ::"r"(3 + (r & 1)) : "memory");
            buffers[r & 1][lane] = in[64 * r + lane] * 2;
            buffers[r & 1][lane + 32] = in[64 * r + 32 + lane] + r;
            asm volatile("bar.arrive %0, 96;" ::"r"(1 + (r & 1)) : "memory");
        }
    else
        for (int r = 0; r < rounds; r++) {
            asm volatile("bar.sync %0, 96;" ::"r"(1 + (r & 1)) : "memory");
            int t = threadIdx.x - 32;
            out[64 * r + t] = buffers[r & 1][t] - buffers[r & 1][63 - t];
            if (r + 2 < rounds)
                asm volatile("bar.arrive %0, 96;" ::"r"(3 + (r & 1)) : "memory");
        }
}

// Thread 0 of a block puts into a ring of four slots, lane 0 of the other warp takes out.
extern "C" __global__ void ring(int *sums, int items)
{
    __shared__ volatile int slots[4];
    __shared__ volatile int head, tail;
    if (threadIdx.x == 0)
        head = tail = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < items; k++) {
            while (k - tail >= 4)
                ;
            slots[k & 3] = k * k + blockIdx.x;
            __threadfence_block();
            head = k + 1;
        }
    } else if (threadIdx.x == 32) {
        int sum = 0;
        for (int k = 0; k < items; k++) {
            while (head <= k)
                ;
            __threadfence_block();
            sum = sum * 5 + slots[k & 3];
            __threadfence_block();
            tail = k + 1;
        }
        sums[blockIdx.x] = sum;
    }
}

struct Ticket {
    unsigned next, serving;
};

// Every thread of every block takes the lock once; what is guarded is no atomic.
extern "C" __global__ void tickets(Ticket *lock, long long *guarded, unsigned *taken)
{
    unsigned mine = atomicAdd(&lock->next, 1);
    bool done = false;
    while (!done) {
        if (atomicAdd(&lock->serving, 0) == mine) {
            __threadfence();
            *(volatile long long *)guarded += mine * 3 + 1;
            *(volatile unsigned *)taken += 1;
            __threadfence();
            atomicExch(&lock->serving, mine + 1);
            done = true;
        }
    }
}

// Warps take tasks of uneven length from a counter until none is left.
extern "C" __global__ void persistent(int *counter, int *results, int tasks)
{
    int lane = threadIdx.x & 31;
    for (;;) {
        int task = 0;
        if (lane == 0)
            task = atomicAdd(counter, 1);
        task = __shfl_sync(~0u, task, 0);
        if (task >= tasks)
            break;
        int v = lane;
        for (int k = 0; k < task * 7 % 23; k++)
            v = v * 5 + task - k;
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_xor_sync(~0u, v, d);
        if (lane == 0)
            results[task] = v;
    }
}
