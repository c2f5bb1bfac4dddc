// The case of the useless column.
//
// The kernel transposes a square matrix by tiles of 32 × 32. Its author knew that the
// columns of such a tile are in one bank, and made room for rows of 33 words. The
// profiler shows as many conflicts as before.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

#define TILE 32
//<
#define STRIDE (TILE + 1) // cause
//| skeleton
#define STRIDE TILE
//| the read is marked
#define STRIDE TILE
//| transposed where it is stored
#define STRIDE TILE // cause
//| transposed where it is written out
#define STRIDE TILE // cause
//| two words more
#define STRIDE (TILE + 2) // cause
//>

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[TILE * (TILE + 2)];
    int x = threadIdx.x, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    for (int y = threadIdx.y; y < TILE; y += blockDim.y) {
        //<
        tile[y * STRIDE + x] = in[(top + y) * n + left + x];
        //| transposed where it is stored
        tile[x * STRIDE + y] = in[(top + y) * n + left + x];
        //>
    }
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += blockDim.y) {
        //<
        out[(left + y) * n + top + x] = tile[x * STRIDE + y];
        //| the read is marked
        out[(left + y) * n + top + x] = tile[x * STRIDE + y]; // cause
        //| transposed where it is stored
        out[(left + y) * n + top + x] = tile[y * STRIDE + x];
        //| transposed where it is written out
        out[(left + x) * n + top + y] = tile[y * STRIDE + x];
        //>
    }
}
