// One function, not inlined, that is given pointers to every memory: it can only use generic accesses.

__constant__ int constants[5] = {100, 200, 300, 400, 500};
__device__ int globals[5] = {-1, -2, -3, -4, -5};
__device__ int *where = &globals[3]; // an address as an initialiser

__device__ __noinline__ int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * (i + 1);
    return s;
}

__device__ __noinline__ void put(int *p, int v)
{
    *p += v;
}

__device__ __noinline__ int count(int *p)
{
    return atomicAdd(p, 3); // shared or global
}

__device__ int *choose(int which, int *a, int *b, int *c)
{
    return which == 0 ? a : which == 1 ? b : c;
}

extern "C" __global__ void anywhere(const int *in, int *out, int *counters)
{
    __shared__ int shared[40], counted;
    int local[5], i = threadIdx.x;
    shared[i] = in[i] * 2;
    if (i == 0)
        counted = 0;
    for (int k = 0; k < 5; k++)
        local[(k + i) % 5] = k - i;
    __syncthreads();
    int *mine = out + 8 * i;
    mine[0] = sum(in + i, 3);
    mine[1] = sum(shared + i / 2, 5);
    mine[2] = sum(constants, 1 + i % 5);
    mine[3] = sum(local, 5);
    // Lanes of a warp with pointers to different memories, in one call.
    const int *mixed = i % 4 == 0 ? in : i % 4 == 1 ? shared : i % 4 == 2 ? constants : local;
    mine[4] = sum(mixed, 4);
    __syncthreads();
    put(choose(i % 3, &shared[i], &local[2], &mine[4]), 1000 + i);
    mine[5] = shared[i] + local[2];
    mine[6] = sum(where - 3, 5);
    count(i & 1 ? &counted : counters + i % 3);
    __syncthreads();
    mine[7] = counted;
    bool places[4] = {__isShared(&shared[1]), __isLocal(&local[i % 5]), __isGlobal(mine), __isConstant(constants + 1)};
    if (!(places[0] && places[1] && places[2] && places[3]) || __isShared(mine) || __isGlobal(local))
        mine[7] = -1;
    // To the window of a memory and back.
    unsigned long long offset = __cvta_generic_to_shared(&shared[7]);
    if (((int *)__cvta_shared_to_generic(offset))[1] != shared[8])
        mine[7] = -2;
}
