// The last thread's guard is off by one: it reads 4 bytes beyond the buffer.
extern "C" __global__ void add_neighbour(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int here = in[i];
    out[i] = here + in[i + 1]; // fault
}
