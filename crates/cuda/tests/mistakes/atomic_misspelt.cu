__global__ void count(int *total)
{
    atomicadd(total, 1);
    AtomicAdd(total, 1);
    atomic_add(total, 1);
}
