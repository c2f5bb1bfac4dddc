// An mbarrier that nobody has initialised.
extern "C" __global__ void meet(int *out)
{
    __shared__ unsigned long long object;
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"((unsigned)__cvta_generic_to_shared(&object)) : "memory"); // fault
    out[threadIdx.x] = state != 0;
}
