#include <cstdio>

// Finds the first value above 6, and prints where it was; the last thread finds none.
extern "C" __global__ void find(const int *in, int *out)
{
    int at[2];
    for (int i = 0; i < 4; i++)
        if (in[4 * threadIdx.x + i] > 6 && in[4 * threadIdx.x + i] < 12)
            at[out[0]] = i;
    printf("%d: %d\n", threadIdx.x, at[out[0]]); // fault
}
