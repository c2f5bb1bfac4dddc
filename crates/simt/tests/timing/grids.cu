// arch: compute_75
// Computations on grids, as programs for measuring GPUs have them: neighbours in global and shared memory, borders, rows and columns.

#define AT(x, y) ((y) * width + (x))

extern "C" __global__ void hotspot(const float *power, const float *in, float *out, int width, int height)
{
    __shared__ float tile[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    float centre = in[AT(x, y)];
    tile[ty][tx] = centre;
    if (threadIdx.x == 0) tile[ty][0] = in[AT(max(x - 1, 0), y)];
    if (threadIdx.x == 15) tile[ty][17] = in[AT(min(x + 1, width - 1), y)];
    if (threadIdx.y == 0) tile[0][tx] = in[AT(x, max(y - 1, 0))];
    if (threadIdx.y == 15) tile[17][tx] = in[AT(x, min(y + 1, height - 1))];
    __syncthreads();
    float change = 0.001f * (power[AT(x, y)] + (tile[ty - 1][tx] + tile[ty + 1][tx] - 2.0f * centre) * 0.1f
        + (tile[ty][tx - 1] + tile[ty][tx + 1] - 2.0f * centre) * 0.1f + (80.0f - centre) * 0.0003f);
    out[AT(x, y)] = centre + change;
}

extern "C" __global__ void hotspot_plain(const float *power, const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float centre = in[AT(x, y)];
    float north = in[AT(x, max(y - 1, 0))], south = in[AT(x, min(y + 1, height - 1))];
    float west = in[AT(max(x - 1, 0), y)], east = in[AT(min(x + 1, width - 1), y)];
    float change = 0.001f * (power[AT(x, y)] + (north + south - 2.0f * centre) * 0.1f + (west + east - 2.0f * centre) * 0.1f
        + (80.0f - centre) * 0.0003f);
    out[AT(x, y)] = centre + change;
}

// Several rows of a table of cheapest paths at once; a block keeps what it can still know.
extern "C" __global__ void pathfinder(const int *wall, const int *in, int *out, int width, int rows)
{
    __shared__ int cost[2][256];
    int inner = 256 - 2 * rows, x = blockIdx.x * inner + threadIdx.x - rows, t = threadIdx.x;
    bool valid = x >= 0 && x < width;
    cost[0][t] = valid ? in[x] : 1 << 20;
    __syncthreads();
    for (int r = 0; r < rows; r++) {
        int now = r & 1, best = cost[now][t];
        if (valid && t > r && t < 255 - r) {
            best = min(best, min(cost[now][t - 1], cost[now][t + 1])) + wall[r * width + x];
        }
        cost[1 - now][t] = best;
        __syncthreads();
    }
    if (valid && t >= rows && t < 256 - rows) out[x] = cost[rows & 1][t];
}

extern "C" __global__ void srad_gradient(const float *image, float *dn, float *ds, float *dw, float *de, float *c, float q0, int width, int height)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = AT(x, y);
    float j = image[i];
    float n = image[AT(x, max(y - 1, 0))] - j, s = image[AT(x, min(y + 1, height - 1))] - j;
    float w = image[AT(max(x - 1, 0), y)] - j, e = image[AT(min(x + 1, width - 1), y)] - j;
    float g2 = (n * n + s * s + w * w + e * e) / (j * j), l = (n + s + w + e) / j;
    float num = 0.5f * g2 - 0.0625f * l * l, den = 1.0f + 0.25f * l, qsqr = num / (den * den);
    den = (qsqr - q0) / (q0 * (1.0f + q0));
    float v = 1.0f / (1.0f + den);
    dn[i] = n; ds[i] = s; dw[i] = w; de[i] = e;
    c[i] = v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v;
}

extern "C" __global__ void stencil3d(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, plane = nx * ny;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    int at = y * nx + x + plane;
    float below = in[at - plane], here = in[at];
    for (int z = 1; z < nz - 1; z++, at += plane) {
        float above = in[at + plane];
        out[at] = 0.4f * here + 0.1f * (below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
        below = here;
        here = above;
    }
}

__constant__ float taps[17];

extern "C" __global__ void rows_filter(const float *in, float *out, int width)
{
    __shared__ float line[128 + 16];
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y;
    line[threadIdx.x + 8] = in[AT(x, y)];
    if (threadIdx.x < 8) line[threadIdx.x] = x >= 8 ? in[AT(x - 8, y)] : 0.0f;
    if (threadIdx.x >= 120) line[threadIdx.x + 16] = x + 8 < width ? in[AT(x + 8, y)] : 0.0f;
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 17; k++) sum += taps[k] * line[threadIdx.x + k];
    out[AT(x, y)] = sum;
}

extern "C" __global__ void columns_filter(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = -8; k <= 8; k++) {
        int at = y + k;
        if (at >= 0 && at < height) sum += taps[k + 8] * in[AT(x, at)];
    }
    out[AT(x, y)] = sum;
}

extern "C" __global__ void turned(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * height + y] = in[AT(x, y)];
}

extern "C" __global__ void row_sums(const float *in, float *out, int width)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int x = 0; x < width; x++) sum += in[AT(x, y)];
    out[y] = sum;
}

extern "C" __global__ void column_sums(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int y = 0; y < height; y++) sum += in[AT(x, y)];
    out[x] = sum;
}

extern "C" __global__ void life(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int w = (x + width - 1) % width, e = (x + 1) % width, n = (y + height - 1) % height, s = (y + 1) % height;
    int around = in[AT(w, n)] + in[AT(x, n)] + in[AT(e, n)] + in[AT(w, y)] + in[AT(e, y)] + in[AT(w, s)] + in[AT(x, s)] + in[AT(e, s)];
    out[AT(x, y)] = around == 3 || (around == 2 && in[AT(x, y)]);
}
