// Find the race.
//
// A block computes a tile of the product of two square matrices. In each iteration of
// the outer loop it loads a tile of A and a tile of B, 16 × 16 elements each, into
// shared memory, and each thread adds up the products of a row of one and a column of
// the other. On a GPU the kernel may well give the right result, if its warps happen to
// run in a good order. But nothing forces them to: one warp may be an iteration ahead
// of another.
//
// Add what is missing. If a thread writes a word of shared memory that another thread
// reads, a barrier must lie between the two accesses. In an iteration, a thread may
// load at most one element of A and one of B. The side n of the matrices is a multiple
// of 16.

#define TILE 16

__global__ void product(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;

    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        left[y][x] = a[row * n + start + x];
        right[y][x] = b[(start + y) * n + column];
        //<
        __syncthreads();
        //| skeleton
        __syncthreads();
        //| one barrier, after the sum
        //>
        for (int k = 0; k < TILE; k++) {
            sum += left[y][k] * right[k][x];
        }
        //<
        __syncthreads();
        //| skeleton
        //| one barrier, after the sum
        __syncthreads();
        //| the barrier of a warp
        __syncwarp();
        //>
    }
    c[row * n + column] = sum;
}
