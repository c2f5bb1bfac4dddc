// Turns a block's values round, as one writes it first: there is no barrier between the two lines.
extern "C" __global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = in[t]; // fault
    out[t] = tile[127 - t]; // fault
}
