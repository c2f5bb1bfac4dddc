// Which shift makes two images alike: sums of absolute differences of packed bytes over a window, from a tile with a margin
// in shared memory that every thread fills in several steps.
#define TILE 16
#define AROUND 4
#define SIDE (TILE + 2 * AROUND)

extern "C" __global__ void best_shift(cudaTextureObject_t left, cudaTextureObject_t right, int *shifts, unsigned *costs, int width, int height, int most)
{
    __shared__ unsigned differences[SIDE][SIDE];
    int x0 = blockIdx.x * TILE - AROUND, y0 = blockIdx.y * TILE - AROUND;
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    unsigned least = 0xffffffff;
    int best = 0;
    for (int shift = 0; shift <= most; shift++) {
        for (int at = threadIdx.y * TILE + threadIdx.x; at < SIDE * SIDE; at += TILE * TILE) {
            int px = x0 + at % SIDE, py = y0 + at / SIDE;
            unsigned a = tex2D<unsigned>(left, px, py), b = tex2D<unsigned>(right, px - shift, py);
            differences[at / SIDE][at % SIDE] = __vsadu4(a, b);
        }
        __syncthreads();
        unsigned cost = 0;
#pragma unroll
        for (int dy = 0; dy <= 2 * AROUND; dy++)
#pragma unroll
            for (int dx = 0; dx <= 2 * AROUND; dx++)
                cost += differences[threadIdx.y + dy][threadIdx.x + dx];
        if (cost < least) {
            least = cost;
            best = shift;
        }
        __syncthreads();
    }
    if (x < width && y < height) {
        shifts[y * width + x] = best;
        costs[y * width + x] = least;
    }
}

// Edges of bytes: a table of functions in device memory that another launch has filled.
typedef int (*Edge)(const unsigned char (&around)[3][3]);

__device__ int gradient(const unsigned char (&a)[3][3])
{
    int across = a[0][2] + 2 * a[1][2] + a[2][2] - a[0][0] - 2 * a[1][0] - a[2][0];
    int down = a[2][0] + 2 * a[2][1] + a[2][2] - a[0][0] - 2 * a[0][1] - a[0][2];
    return min(abs(across) + abs(down), 255);
}

__device__ int mean(const unsigned char (&a)[3][3])
{
    int sum = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            sum += a[y][x];
    return sum / 9;
}

__device__ int spread(const unsigned char (&a)[3][3])
{
    int low = 255, high = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) {
            low = min(low, (int)a[y][x]);
            high = max(high, (int)a[y][x]);
        }
    return high - low;
}

__device__ Edge edges[3];

extern "C" __global__ void choose()
{
    Edge all[] = {gradient, mean, spread};
    edges[threadIdx.x] = all[threadIdx.x];
}

extern "C" __global__ void edge(cudaTextureObject_t image, unsigned char *out, int width, int height, int which)
{
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        unsigned char around[3][3];
        for (int y = 0; y < 3; y++)
            for (int i = 0; i < 3; i++)
                around[y][i] = tex2D<unsigned char>(image, x + i - 1, (int)blockIdx.x + y - 1);
        // Neighbouring threads call different functions.
        out[blockIdx.x * width + x] = edges[(which + x / 5) % 3](around);
    }
}
