// Lanes whose number is at most 20 wait for each other, with a mask of those below 20.
extern "C" __global__ void first(const int *in, int *out)
{
    __shared__ int kept[32];
    int t = threadIdx.x;
    unsigned below = __ballot_sync(~0u, t < 20);
    if (t <= 20) {
        kept[t] = in[t] * 3;
        __syncwarp(below); // fault
        out[t] = kept[t ^ 1];
    }
}
