// Guard the edges of a product.
//
// C = A * B, one thread for each element of C; x counts columns and y counts rows. A
// has `inner` columns, and B has `inner` rows. The rows of all three matrices are
// `stride` floats apart, which is more than any of them is long. Blocks are 16 × 16,
// and the grid covers C, so that its last blocks reach past the edges. At present,
// nothing stops their threads.
//
// Guard both edges. The elements between the end of a row of C and the beginning of the
// next must not change.

__global__ void product(const float *a, const float *b, float *c,
                        int rows, int inner, int columns, int stride)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    //<
    if (row >= rows || column >= columns) return;
    //| skeleton
    //| the rows alone
    if (row >= rows) return;
    //| the inner size
    if (row >= rows || column >= inner) return;
    //>
    float sum = 0.0f;
    for (int k = 0; k < inner; k++) {
        sum += a[row * stride + k] * b[k * stride + column];
    }
    c[row * stride + column] = sum;
}
