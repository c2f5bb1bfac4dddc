// Numbers as sums of two floats, with operations that the compiler must not fuse or reorder, in a set that needs more than a
// float has; blocks take tiles from a counter until there are none.
struct Pair {
    float high, low;
};

__device__ Pair sum(Pair a, Pair b)
{
    float s = __fadd_rn(a.high, b.high), v = __fsub_rn(s, a.high);
    float e = __fadd_rn(__fsub_rn(a.high, __fsub_rn(s, v)), __fsub_rn(b.high, v));
    e = __fadd_rn(e, __fadd_rn(a.low, b.low));
    float high = __fadd_rn(s, e);
    return {high, __fsub_rn(e, __fsub_rn(high, s))};
}

__device__ Pair product(Pair a, Pair b)
{
    float p = __fmul_rn(a.high, b.high), e = __fmaf_rn(a.high, b.high, -p);
    e = __fadd_rn(e, __fadd_rn(__fmul_rn(a.high, b.low), __fmul_rn(a.low, b.high)));
    float high = __fadd_rn(p, e);
    return {high, __fsub_rn(e, __fsub_rn(high, p))};
}

__device__ Pair minus(Pair a) { return {-a.high, -a.low}; }

// Rounds until a point has left, of at most `most`.
__device__ int rounds(Pair x, Pair y, int most)
{
    Pair re = {0, 0}, im = {0, 0};
    for (int i = 0; i < most; i++) {
        Pair re2 = product(re, re), im2 = product(im, im);
        if (re2.high + im2.high > 4.0f)
            return i;
        Pair both = product(re, im);
        re = sum(sum(re2, minus(im2)), x);
        im = sum(sum(both, both), y);
    }
    return most;
}

__device__ int next_tile;

extern "C" __global__ void begin() { next_tile = 0; }

extern "C" __global__ void zoom(uchar4 *image, int width, int height, Pair x0, Pair y0, float step, uchar4 colour, int tiles_across, int tiles, int most, bool inverted)
{
    __shared__ int tile;
    while (true) {
        __syncthreads();
        if (threadIdx.x + threadIdx.y == 0)
            tile = atomicAdd(&next_tile, 1);
        __syncthreads();
        if (tile >= tiles)
            return;
        int px = tile % tiles_across * blockDim.x + threadIdx.x, py = tile / tiles_across * blockDim.y + threadIdx.y;
        if (px >= width || py >= height)
            continue;
        Pair x = sum(x0, {__fmul_rn(px, step), 0}), y = sum(y0, {__fmul_rn(py, step), 0});
        int n = rounds(x, y, most);
        if (inverted)
            n = most - n;
        image[py * width + px] = make_uchar4(n * colour.x, n * colour.y, n >> colour.z, n == most ? colour.w : 0);
    }
}
