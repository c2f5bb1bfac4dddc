// A tile in shared memory, written along its rows and read down its columns: in which banks do the lanes of a warp meet?
//
// TILE is the tile's side, PAD the elements after each of its rows. With ROTATE, row r begins at column r, so that a
// column's elements lie in different banks without padding. An element, which a lane reads and writes at once, has WORDS
// words of four bytes: 1, 2 or 4.
#ifndef TILE
#define TILE 32
#endif
#ifndef PAD
#define PAD 0
#endif
#ifndef ROTATE
#define ROTATE 0
#endif
#ifndef WORDS
#define WORDS 1
#endif

#if WORDS == 4
typedef float4 Element;
#elif WORDS == 2
typedef float2 Element;
#else
typedef float Element;
#endif

__device__ int column_of(int row, int column) { return ROTATE ? (row + column) % TILE : column; }

extern "C" __global__ void transpose(const Element *in, Element *out) {
    __shared__ Element tile[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][column_of(y, x)] = in[y * TILE + x];
    __syncthreads();
    out[y * TILE + x] = tile[x][column_of(x, y)];
}
