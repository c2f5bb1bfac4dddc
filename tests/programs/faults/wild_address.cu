// Writes to an address that is only a number, in a function that is called.
__device__ __noinline__ void set(unsigned long long where)
{
    *(int *)where = 42; // fault
}

extern "C" __global__ void wild(int *out)
{
    set(0x87654320);
    out[0] = 1;
}
