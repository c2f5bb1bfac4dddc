// Find the race.
//
// The product of two square matrices by tiles of 16 × 16: in each step of the outer
// loop a block loads a tile of A and a tile of B into shared memory, and each thread
// adds up the products of a row and a column of them. The kernel may well give the
// right result on a GPU, if its warps happen to come in a good order. But nothing makes
// them: one warp can be a step ahead of another.
//
// Add what is missing. No two threads may use a word of shared memory, one of them
// writing it, without a barrier between them. The side n of the matrices is a multiple
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
