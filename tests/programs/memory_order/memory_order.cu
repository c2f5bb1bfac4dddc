// Messages from thread to thread and from block to block: volatile with fences, and cuda::atomic with acquire and release.
#include <cuda/atomic>

struct Box {
    int data[8];
    volatile int ready;
};
__device__ Box boxes[16];
__device__ unsigned blocks_started;

// Each block waits for the one that started before it, adds, and hands on.
extern "C" __global__ void chain(int *out)
{
    __shared__ unsigned place;
    if (threadIdx.x == 0)
        place = atomicAdd(&blocks_started, 1u);
    __syncthreads();
    if (threadIdx.x < 8) {
        int v = 1;
        if (place > 0) {
            while (!boxes[place - 1].ready)
                ;
            __threadfence();
            v = ((volatile int *)boxes[place - 1].data)[threadIdx.x] * 3 + threadIdx.x;
        }
        boxes[place].data[threadIdx.x] = v;
        __threadfence();
        __syncwarp(0xff);
        if (threadIdx.x == 0)
            boxes[place].ready = 1;
        out[place * 8 + threadIdx.x] = v;
    }
}

typedef cuda::atomic<int, cuda::thread_scope_device> Atomic;
__device__ Atomic flag, counter;
__device__ cuda::atomic<unsigned long long, cuda::thread_scope_system> wide;
__device__ int message;

extern "C" __global__ void release_acquire(int *out)
{
    if (threadIdx.x != 0)
        return;
    // Whichever block comes first writes, the others wait for it.
    int place = counter.fetch_add(1, cuda::memory_order_relaxed);
    if (place == 0) {
        message = 4711;
        flag.store(1, cuda::memory_order_release);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0)
            __nanosleep(10);
        out[place] = message + place;
    }
    wide.fetch_xor(1ull << (place + 30), cuda::memory_order_acq_rel);
    wide.fetch_add(place, cuda::memory_order_seq_cst);
}

// Every operation of an atomic, by one thread after the other.
extern "C" __global__ void operations(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> shared;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
    if (threadIdx.x == 0) {
        new (&shared) cuda::atomic<int, cuda::thread_scope_block>(5);
        new (&turn) cuda::atomic<int, cuda::thread_scope_block>(0);
    }
    __syncthreads();
    while (turn.load(cuda::memory_order_acquire) != threadIdx.x)
        ;
    int expected = 1000;
    int seen[7] = {
        shared.exchange(threadIdx.x + 9),
        shared.fetch_or(0x40, cuda::memory_order_release),
        shared.fetch_and(0x6f),
        shared.fetch_sub(3),
        shared.fetch_max(50),
        shared.compare_exchange_strong(expected, 77) ? 1 : expected,
        shared.compare_exchange_strong(expected, expected * 2, cuda::memory_order_acq_rel) ? shared.load() : -1,
    };
    for (int k = 0; k < 7; k++)
        out[7 * threadIdx.x + k] = seen[k];
    turn.fetch_add(1, cuda::memory_order_release);
}

// Words narrower than the hardware's atomics, which libcu++ makes of wider ones.
extern "C" __global__ void narrow(unsigned char *bytes, unsigned short *shorts)
{
    cuda::atomic_ref<unsigned char, cuda::thread_scope_device> byte(bytes[threadIdx.x % 5]);
    byte.fetch_add(3, cuda::memory_order_relaxed);
    atomicCAS(&shorts[threadIdx.x % 3], (unsigned short)0, (unsigned short)(7 + threadIdx.x % 3));
}
