// The case of the missing 256.
//
// Each of 32 threads counts how often each of 16 numbers occurs in its part of `in`, in
// counters of its own in shared memory. Then 16 threads add up those of all threads.
// The kernel was tried with a few thousand numbers, and all counts were right.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

#define BINS 16

__global__ void count(const unsigned char *in, int *out, int n)
{
    //<
    __shared__ unsigned short own[BINS][32]; // cause
    //| skeleton
    __shared__ unsigned char own[BINS][32];
    //| the addition is marked
    __shared__ unsigned char own[BINS][32];
    //| long counters
    __shared__ long long own[BINS][32]; // cause
    //| signed counters
    __shared__ signed char own[BINS][32]; // cause
    //>
    int t = threadIdx.x;
    for (int bin = 0; bin < BINS; bin++) own[bin][t] = 0;
    for (int i = t; i < n; i += 32) own[in[i]][t]++;
    __syncthreads();
    if (t < BINS) {
        int all = 0;
        //<
        for (int k = 0; k < 32; k++) all += own[t][k];
        //| the addition is marked
        for (int k = 0; k < 32; k++) all += own[t][k]; // cause
        //>
        out[t] = all;
    }
}
