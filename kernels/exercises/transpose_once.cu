// Transpose once, multiply often.
//
// A product with B transposed: element (i, j) of C is row i of A times row j of B, both
// of `inner` floats. At present, the lanes of a warp, side by side in C, read 32 rows
// of B, a sector each. With x and y exchanged, they would read 32 rows of A instead.
// But each row is read again and again, and copying it once costs little.
//
// `prepare` runs before `product`, with a thread for each element of B, and `scratch`
// has room for `inner` rows of `stride` floats. Use it, so that each iteration of the
// product's loop takes a warp 5 sectors: 1 of A and 4 of B.

__global__ void prepare(const float *b, float *scratch,
                        int inner, int columns, int stride)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    //<
    if (k >= inner || column >= columns) return;
    scratch[k * stride + column] = b[column * stride + k];
    //| skeleton
    // YOUR CODE
    //| a copy as it is
    if (k >= inner || column >= columns) return;
    scratch[column * stride + k] = b[column * stride + k];
    //| no guard
    scratch[k * stride + column] = b[column * stride + k];
    //>
}

__global__ void product(const float *a, const float *b, const float *scratch, float *c,
                        int rows, int inner, int columns, int stride)
{
    //<
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    //| x and y exchanged
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    //>
    if (row >= rows || column >= columns) return;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++) {
        //<
        sum += a[row * stride + k] * scratch[k * stride + column];
        //| skeleton
        sum += a[row * stride + k] * b[column * stride + k];
        //| x and y exchanged
        sum += a[row * stride + k] * b[column * stride + k];
        //>
    }
    c[row * stride + column] = sum;
}
