// The case of the shared home.
//
// A block of 64 threads stores 64 values and 64 keys in dynamic shared memory, 512
// bytes in all. Then each thread takes the value at the place that its key says.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

extern __shared__ float dynamic[];

__global__ void gather(const float *in, const int *key, float *out)
{
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    //<
    float *values = dynamic;
    int *keys = (int *)(dynamic + 64); // cause
    //| skeleton
    float *values = dynamic;
    int *keys = (int *)dynamic;
    //| the store is marked
    float *values = dynamic;
    int *keys = (int *)dynamic;
    //| bytes for elements
    float *values = dynamic;
    int *keys = (int *)dynamic + 64 * sizeof(float); // cause
    //>
    values[t] = in[i];
    //<
    keys[t] = key[i];
    //| the store is marked
    keys[t] = key[i]; // cause
    //>
    __syncthreads();
    out[i] = values[keys[63 - t]];
}
