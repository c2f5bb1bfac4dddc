// Eigenvalues of a symmetric tridiagonal matrix by bisection: a list of intervals in shared memory that threads split and
// compact, until each interval is narrow. How many rounds that takes, only the data tell; the loop ends by a flag.
#define MOST 256

struct Interval {
    float low, high;
    int below_low, below_high; // how many eigenvalues are less
};

// Eigenvalues less than x: signs of a recurrence.
__device__ int less_than(const float *diagonal, const float *beside, int n, float x)
{
    float q = diagonal[0] - x;
    int count = q < 0.0f;
    for (int i = 1; i < n; i++) {
        if (fabsf(q) < 1e-12f)
            q = q < 0.0f ? -1e-12f : 1e-12f;
        q = diagonal[i] - x - __fdiv_rn(beside[i - 1] * beside[i - 1], q);
        count += q < 0.0f;
    }
    return count;
}

// A place for each lane that wants one, in the order of threads; all threads of the block come here.
__device__ int place(bool wants, int *sums, int *total)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    unsigned mask = __ballot_sync(0xffffffff, wants);
    if (lane == 0)
        sums[warp] = __popc(mask);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < blockDim.x / 32; w++) {
        if (w < warp)
            before += sums[w];
        all += sums[w];
    }
    __syncthreads();
    *total = all;
    return before + __popc(mask & ((1u << lane) - 1));
}

extern "C" __global__ void eigenvalues(const float *diagonal, const float *beside, int n, float low, float high, float *values, int *rounds)
{
    __shared__ Interval list[2][MOST];
    __shared__ int sums[32], wide;
    int t = threadIdx.x, count = 1, round = 0;
    if (t == 0)
        list[0][0] = {low, high, 0, n};
    while (true) {
        if (t == 0)
            wide = 0;
        __syncthreads();
        Interval mine = {}, left = {}, right = {};
        bool has_left = false, has_right = false;
        if (t < count) {
            mine = list[round & 1][t];
            float middle = 0.5f * (mine.low + mine.high);
            if (mine.high - mine.low < 1e-5f || middle <= mine.low || middle >= mine.high) {
                left = mine;
                has_left = true;
            } else {
                int below = less_than(diagonal, beside, n, middle);
                left = {mine.low, middle, mine.below_low, below};
                right = {middle, mine.high, below, mine.below_high};
                has_left = below > mine.below_low;
                has_right = mine.below_high > below;
                atomicOr(&wide, 1);
            }
        }
        int lefts, rights;
        int at = place(has_left, sums, &lefts);
        if (has_left)
            list[~round & 1][at] = left;
        at = place(has_right, sums, &rights);
        if (has_right && lefts + at < MOST)
            list[~round & 1][lefts + at] = right;
        round++;
        count = min(lefts + rights, MOST);
        __syncthreads();
        if (!wide)
            break;
        __syncthreads();
    }
    // An interval may hold several: each at its place.
    if (t < count) {
        Interval mine = list[round & 1][t];
        for (int i = mine.below_low; i < mine.below_high; i++)
            values[i] = 0.5f * (mine.low + mine.high);
    }
    if (t == 0)
        *rounds = round;
}
