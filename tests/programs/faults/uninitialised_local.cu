// A local array filled up to element 6 only; thread 7 reads element 7.
extern "C" __global__ void pick(const int *in, int *out)
{
    int values[8];
    for (int k = 0; k < 7; k++)
        values[(k + in[0]) % 7] = k * k;
    out[threadIdx.x] = values[in[threadIdx.x]]; // fault
}
