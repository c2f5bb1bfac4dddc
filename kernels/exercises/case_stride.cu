// The case of the busy sectors.
//
// The kernel scales n numbers, a thread for each. Its results are right, but for large
// n it takes several times as long as a copy of as many numbers.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

__global__ void scale(const float *in, float *out, float factor, int n)
{
    //<
    int i = blockIdx.x * blockDim.x + threadIdx.x; // cause
    //| skeleton
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    //| the load is marked
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    //| mended without a mark
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //>
    if (i >= n) return;
    //<
    float value = in[i];
    //| the load is marked
    float value = in[i]; // cause
    //>
    out[i] = factor * value;
}
