// Every block counts under a lock, and one of them leaves without giving it back.
__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) // fault
        ;
}

extern "C" __global__ void count(int *lock, int *sum)
{
    take(lock);
    if (++*(volatile int *)sum == 3)
        return;
    __threadfence();
    atomicExch(lock, 0);
}
