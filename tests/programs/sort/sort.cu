// Sorting: bitonic in shared memory, least-significant-digit radix steps with ballot and with match, and a merge path.

// Dynamic shared memory: blockDim.x * 2 keys; n below that, the rest are the largest key.
extern "C" __global__ void bitonic(const int *in, int *out, int n)
{
    extern __shared__ int keys[];
    int size = 2 * blockDim.x, base = blockIdx.x * n;
    for (int i = threadIdx.x; i < size; i += blockDim.x)
        keys[i] = i < n ? (int)((unsigned)in[base + i] * 2654435761u) : 0x7fffffff;
    for (int k = 2; k <= size; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            int i = 2 * threadIdx.x - (threadIdx.x & (j - 1)), other = i + j;
            bool up = (i & k) == 0;
            int a = keys[i], b = keys[other];
            if ((a > b) == up) {
                keys[i] = b;
                keys[other] = a;
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[base + i] = keys[i];
}

// One block sorts 8-bit keys (with their places as values) by one bit a pass; a warp's ranks come from ballots.
extern "C" __global__ void radix_ballot(const unsigned *in, unsigned *out)
{
    __shared__ unsigned keys[2][256], zeros[8];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, from = 0;
    keys[0][threadIdx.x] = (in[threadIdx.x] * 40503u >> 5 & 255) << 16 | threadIdx.x;
    for (int bit = 16; bit < 24; bit++) {
        __syncthreads();
        unsigned key = keys[from][threadIdx.x];
        bool one = key >> bit & 1;
        unsigned ones = __ballot_sync(~0u, one), below = (1u << lane) - 1;
        if (lane == 0)
            zeros[warp] = __popc(~ones);
        __syncthreads();
        unsigned zeros_before = 0, all_zeros = 0;
        for (int w = 0; w < 8; w++) {
            if (w < warp)
                zeros_before += zeros[w];
            all_zeros += zeros[w];
        }
        unsigned place = one ? all_zeros + (warp * 32 - zeros_before) + __popc(ones & below)
                             : zeros_before + __popc(~ones & below);
        keys[1 - from][place] = key;
        from = 1 - from;
    }
    __syncthreads();
    out[threadIdx.x] = keys[from][threadIdx.x];
}

// One stable pass over a 4-bit digit: lanes with the same digit find each other with match.
extern "C" __global__ void radix_match(const unsigned *in, unsigned *out, int n)
{
    __shared__ int counts[4][16], starts[4][16];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        (&counts[0][0])[i] = 0;
    __syncthreads();
    int i = threadIdx.x;
    unsigned active = __ballot_sync(~0u, i < n), key = 0, same = 0;
    int digit = 0;
    if (i < n) {
        key = in[i] * 2246822519u;
        digit = key >> 9 & 15;
        same = __match_any_sync(active, digit);
        if (lane == __ffs(same) - 1)
            counts[warp][digit] = __popc(same);
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        int sum = 0;
        for (int d = 0; d < threadIdx.x; d++)
            for (int w = 0; w < 4; w++)
                sum += counts[w][d];
        for (int w = 0; w < 4; w++) {
            starts[w][threadIdx.x] = sum;
            sum += counts[w][threadIdx.x];
        }
    }
    __syncthreads();
    if (i < n)
        out[starts[warp][digit] + __popc(same & ((1u << lane) - 1))] = key;
}

// Merges two sorted arrays; each thread finds where its diagonal crosses the path, then merges `span` elements.
extern "C" __global__ void merge_path(const int *a, int na, const int *b, int nb, int *out, int span)
{
    int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * span;
    if (diagonal >= na + nb)
        return;
    int low = max(0, diagonal - nb), high = min(diagonal, na);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] * 3 <= b[diagonal - 1 - middle] * 5)
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < span && diagonal + k < na + nb; k++) {
        int value;
        if (j >= nb || (i < na && a[i] * 3 <= b[j] * 5))
            value = a[i++] * 3;
        else
            value = b[j++] * 5;
        out[diagonal + k] = value;
    }
}
