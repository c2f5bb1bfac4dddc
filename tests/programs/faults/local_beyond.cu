// A stack of 8 in local memory; thread t pushes t elements, so thread 9 is the first that writes beyond it.
extern "C" __global__ void push(const int *in, int *out)
{
    int stack[8], top = 0;
    for (int k = 0; k < 8; k++)
        stack[k] = 0;
    int n = in[threadIdx.x];
#pragma unroll 1
    while (top < n) {
        int at = top++;
        stack[at] = at * n; // fault
    }
    out[threadIdx.x] = stack[n / 2];
}
