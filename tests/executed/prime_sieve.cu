extern "C" __global__ void sieve(unsigned char *composite, int n)
{
    int p = threadIdx.x + 2;
    if (p * p > n)
        return;
    for (int m = p * p; m < n; m += p)
        composite[m] = 1;
}
extern "C" __global__ void count_primes(const unsigned char *composite, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool prime = i >= 2 && i < n && !composite[i];
    int votes = __popc(__ballot_sync(0xffffffff, prime));
    if ((threadIdx.x & 31) == 0 && votes)
        atomicAdd(count, votes);
}
