// Mutual exclusion, within a warp and across blocks. Lanes that spin must not keep the lane that holds the lock from
// running. What is protected is a plain variable, so that a lost update shows.

struct Lock {
    int taken;
    volatile int count, trace;
};
__device__ Lock flagged, naive, spread;

__device__ unsigned next_ticket;
__device__ volatile unsigned serving;
__device__ volatile unsigned long long log_of_tickets;

__device__ void critical(Lock *lock)
{
    int count = lock->count;
    lock->trace = lock->trace ^ count * 7919;
    lock->count = count + 1;
}

// The form that also ran before Volta: who gets the lock does the work inside the loop.
extern "C" __global__ void done_flag()
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&flagged.taken, 0, 1) == 0) {
            critical(&flagged);
            __threadfence();
            atomicExch(&flagged.taken, 0);
            done = true;
        }
    }
}

// The naive form, which needs independent thread scheduling.
extern "C" __global__ void naive_spin()
{
    while (atomicCAS(&naive.taken, 0, 1) != 0)
        ;
    __threadfence();
    critical(&naive);
    __threadfence();
    atomicExch(&naive.taken, 0);
}

// One thread a block contends, the others wait at the barrier.
extern "C" __global__ void across_blocks(int *sums, int n)
{
    __shared__ int mine;
    if (threadIdx.x == 0)
        mine = 0;
    __syncthreads();
    atomicAdd(&mine, (int)(blockIdx.x * blockDim.x + threadIdx.x));
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicExch(&spread.taken, 1) != 0)
            __nanosleep(20);
        __threadfence();
        for (int i = 0; i < n; i++)
            ((volatile int *)sums)[i] += mine + i;
        critical(&spread);
        __threadfence();
        atomicExch(&spread.taken, 0);
    }
}

// First come, first served: the log is a sum over positions, whoever got them.
extern "C" __global__ void ticket_lock()
{
    if (threadIdx.x % 8 != 0)
        return;
    unsigned mine = atomicAdd(&next_ticket, 1u);
    while (serving != mine)
        ;
    __threadfence();
    log_of_tickets = log_of_tickets * 3 + mine;
    __threadfence();
    serving = mine + 1;
}

// A lock in shared memory for each pair of neighbours; a thread takes two of them, in order of their numbers.
extern "C" __global__ void philosophers(int *eaten)
{
    __shared__ int forks[33];
    __shared__ volatile int meals[33];
    for (int i = threadIdx.x; i < 33; i += blockDim.x)
        forks[i] = meals[i] = 0;
    __syncthreads();
    int left = threadIdx.x, right = threadIdx.x + 1;
    for (int round = 0; round < 3; round++) {
        bool done = false;
        do {
            if (atomicCAS(&forks[left], 0, 1) == 0) {
                if (atomicCAS(&forks[right], 0, 1) == 0) {
                    __threadfence_block();
                    meals[left] = meals[left] + 1;
                    meals[right] = meals[right] + 1;
                    done = true;
                    __threadfence_block();
                    atomicExch(&forks[right], 0);
                }
                atomicExch(&forks[left], 0);
            }
        } while (!done);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 33; i += blockDim.x)
        eaten[i] = meals[i];
}
