// Selections in one pass over the data: what a predicate takes to the front and the rest to the back, the first of each
// run of equal values, and the sums of runs. Blocks learn where to write by decoupled look-back; sums of runs need a
// prefix of two numbers, for which a run's start cuts off what is before it.

#define SIZE 96

struct Tile {
    unsigned status; // 0 nothing, 1 of the tile alone, 2 of all up to its end
    int own[2], all[2];
};
__device__ Tile tiles[3][64];
__device__ unsigned tickets[3];

struct Pair {
    int count, sum; // how many runs start, and the sum since the last start
};

__device__ Pair join(Pair a, Pair b) { return {a.count + b.count, b.count ? b.sum : a.sum + b.sum}; }

__device__ void publish(Tile *tile, unsigned status, Pair p)
{
    int *to = status == 2 ? tile->all : tile->own;
    to[0] = p.count;
    to[1] = p.sum;
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(&tile->status), "r"(status) : "memory");
}

__device__ Pair look_back(Tile *mine, Tile *first)
{
    Pair before = {0, 0};
    for (Tile *t = mine - 1; t >= first; t--) {
        unsigned status;
        do
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(status) : "l"(&t->status) : "memory");
        while (status == 0);
        volatile int *from = status == 2 ? t->all : t->own;
        Pair p = {from[0], from[1]};
        before = join(p, before);
        if (status == 2)
            break;
    }
    return before;
}

// The prefix before this thread's pair, over all tiles; `whole` is that up to the tile's end.
__device__ Pair place(Pair p, int which, unsigned tile, Pair &whole)
{
    __shared__ Pair warps[SIZE / 32];
    __shared__ Pair before;
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    Pair up = p;
    for (int d = 1; d < 32; d *= 2) {
        Pair left = {__shfl_up_sync(~0u, up.count, d), __shfl_up_sync(~0u, up.sum, d)};
        if (lane >= d)
            up = join(left, up);
    }
    if (lane == 31)
        warps[warp] = up;
    __syncthreads();
    Pair behind = {0, 0}, all = {0, 0};
    for (int w = 0; w < SIZE / 32; w++) {
        if (w == warp)
            behind = all;
        all = join(all, warps[w]);
    }
    if (threadIdx.x == 0) {
        Tile *mine = &tiles[which][tile];
        publish(mine, tile == 0 ? 2 : 1, all);
        before = look_back(mine, tiles[which]);
        if (tile > 0)
            publish(mine, 2, join(before, all));
    }
    __syncthreads();
    whole = join(before, all);
    Pair left = {__shfl_up_sync(~0u, up.count, 1), __shfl_up_sync(~0u, up.sum, 1)};
    if (lane == 0)
        left = {0, 0};
    return join(before, join(behind, left));
}

__device__ unsigned take_ticket(int which)
{
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(&tickets[which], 1u);
    __syncthreads();
    return tile;
}

// Multiples of three come first, in order; the rest last, in reverse.
extern "C" __global__ void __launch_bounds__(SIZE) partition(const int *in, int *out, int *taken, int n)
{
    unsigned tile = take_ticket(0);
    int i = tile * SIZE + threadIdx.x;
    bool takes = i < n && in[i] % 3 == 0;
    Pair whole, before = place({takes, 0}, 0, tile, whole);
    if (takes)
        out[before.count] = in[i];
    else if (i < n)
        out[n - 1 - (i - before.count)] = in[i];
    if (tile == gridDim.x - 1 && threadIdx.x == 0)
        *taken = whole.count;
}

extern "C" __global__ void __launch_bounds__(SIZE) unique(const int *in, int *out, int *kept, int n)
{
    unsigned tile = take_ticket(1);
    int i = tile * SIZE + threadIdx.x;
    bool first = i < n && (i == 0 || in[i] / 8 != in[i - 1] / 8);
    Pair whole, before = place({first, 0}, 1, tile, whole);
    if (first)
        out[before.count] = in[i];
    if (tile == gridDim.x - 1 && threadIdx.x == 0)
        *kept = whole.count;
}

extern "C" __global__ void __launch_bounds__(SIZE) sums_of_runs(const int *in, int *sums, int *runs, int n)
{
    unsigned tile = take_ticket(2);
    int i = tile * SIZE + threadIdx.x, v = i < n ? in[i] : 0;
    bool first = i < n && (i == 0 || in[i] / 8 != in[i - 1] / 8);
    bool last = i < n && (i == n - 1 || in[i] / 8 != in[i + 1] / 8);
    Pair mine = {first, v}, whole, before = place(mine, 2, tile, whole);
    Pair now = join(before, mine);
    if (last)
        sums[now.count - 1] = now.sum;
    if (tile == gridDim.x - 1 && threadIdx.x == 0)
        *runs = whole.count;
}
