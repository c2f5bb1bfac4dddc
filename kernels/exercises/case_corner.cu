// The case of the empty rows.
//
// The kernel multiplies two square matrices of n rows, a thread for each element of the
// result, in blocks of 16 × 16. What it writes is right. But it does not write all.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

__global__ void product(const float *a, const float *b, float *c, int n)
{
    //<
    int row = blockIdx.y * blockDim.y + threadIdx.y; // cause
    //| skeleton
    int row = blockIdx.y + blockDim.y + threadIdx.y;
    //| the guard is marked
    int row = blockIdx.y + blockDim.y + threadIdx.y;
    //| the rows of the first block alone
    int row = blockIdx.y + threadIdx.y; // cause
    //>
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    //<
    if (row >= n || column >= n) return;
    //| the guard is marked
    if (row >= n || column >= n) return; // cause
    //>
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
