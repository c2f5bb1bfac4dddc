// Two blocks that each wait for a flag which the other one sets after it has waited.
extern "C" __global__ void meet(volatile int *flags, int *out)
{
    int other = 1 - blockIdx.x;
    while (flags[other] == 0) // fault
        ;
    flags[blockIdx.x] = 1;
    out[blockIdx.x] = 1;
}
