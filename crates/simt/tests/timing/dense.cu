// arch: compute_75
// Dense linear algebra and what resembles it, as programs for measuring GPUs have it.

extern "C" __global__ void gaussian(float *a, const float *m, int n, int pivot)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n - 1 - pivot && y < n - pivot)
        a[n * (x + 1 + pivot) + y + pivot] -= m[n * (x + 1 + pivot) + pivot] * a[n * pivot + y + pivot];
}

// The inner blocks of an LU decomposition.
extern "C" __global__ void lud_inner(float *m, int n, int offset)
{
    __shared__ float row[16][16], column[16][16];
    int gr = offset + (blockIdx.y + 1) * 16, gc = offset + (blockIdx.x + 1) * 16, tx = threadIdx.x, ty = threadIdx.y;
    row[ty][tx] = m[(offset + ty) * n + gc + tx];
    column[ty][tx] = m[(gr + ty) * n + offset + tx];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += column[ty][k] * row[k][tx];
    m[(gr + ty) * n + gc + tx] -= sum;
}

// One thread a row of the diagonal block: few threads and many barriers.
extern "C" __global__ void lud_diagonal(float *m, int n)
{
    __shared__ float a[32][33];
    int t = threadIdx.x, offset = blockIdx.x * 32;
    for (int i = 0; i < 32; i++) a[i][t] = m[(offset + i) * n + offset + t];
    __syncthreads();
    for (int k = 0; k < 31; k++) {
        if (t > k) {
            float f = a[t][k] / a[k][k];
            for (int j = k + 1; j < 32; j++) a[t][j] -= f * a[k][j];
            a[t][k] = f;
        }
        __syncthreads();
    }
    for (int i = 0; i < 32; i++) m[(offset + i) * n + offset + t] = a[i][t];
}

// A diagonal of tiles of a table of alignments.
extern "C" __global__ void nw(const int *reference, int *table, int columns, int diagonal, int penalty)
{
    __shared__ int t[17][17], r[16][16];
    int bx = blockIdx.x, by = diagonal - 1 - bx, tid = threadIdx.x;
    int base = columns * 16 * by + 16 * bx;
    for (int i = 0; i < 16; i++) r[i][tid] = reference[base + columns * (i + 1) + tid + 1];
    if (tid == 0) t[0][0] = table[base];
    t[tid + 1][0] = table[base + columns * (tid + 1)];
    t[0][tid + 1] = table[base + tid + 1];
    __syncthreads();
    for (int k = 0; k < 31; k++) {
        int x = k < 16 ? tid + 1 : tid + k - 14, y = k < 16 ? k - tid + 1 : 16 - tid;
        if (k < 16 ? tid <= k : tid < 31 - k)
            t[y][x] = max(t[y - 1][x - 1] + r[y - 1][x - 1], max(t[y][x - 1], t[y - 1][x]) - penalty);
        __syncthreads();
    }
    for (int i = 0; i < 16; i++) table[base + columns * (i + 1) + tid + 1] = t[i + 1][tid + 1];
}

extern "C" __global__ void kmeans(const float *features, const float *centres, int *member, int points, int clusters, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float nearest = 1e30f;
    for (int c = 0; c < clusters; c++) {
        float distance = 0;
        for (int f = 0; f < count; f++) {
            float d = features[f * points + i] - centres[c * count + f];
            distance += d * d;
        }
        if (distance < nearest) { nearest = distance; best = c; }
    }
    member[i] = best;
}

extern "C" __global__ void backprop(const float *input, const float *weights, float *partial, int hidden)
{
    __shared__ float node[16], w[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 16 + ty;
    if (tx == 0) node[ty] = input[i];
    __syncthreads();
    w[ty][tx] = weights[i * hidden + tx] * node[ty];
    __syncthreads();
    for (int s = 1; s < 16; s *= 2) {
        if (ty % (2 * s) == 0) w[ty][tx] += w[ty + s][tx];
        __syncthreads();
    }
    if (ty == 0) partial[blockIdx.x * hidden + tx] = w[0][tx];
}

extern "C" __global__ void product_plain(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

// Eight by eight results a thread.
extern "C" __global__ void __launch_bounds__(256) product_registers(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8][128], bs[8][128];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, row = blockIdx.y * 128, column = blockIdx.x * 128;
    float sum[8][8] = {};
    for (int k = 0; k < n; k += 8) {
        float4 va = *(const float4 *)&a[(row + t / 2) * n + k + t % 2 * 4];
        as[t % 2 * 4][t / 2] = va.x; as[t % 2 * 4 + 1][t / 2] = va.y; as[t % 2 * 4 + 2][t / 2] = va.z; as[t % 2 * 4 + 3][t / 2] = va.w;
        *(float4 *)&bs[t / 32][t % 32 * 4] = *(const float4 *)&b[(k + t / 32) * n + column + t % 32 * 4];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float x[8], y[8];
#pragma unroll
            for (int j = 0; j < 8; j++) { x[j] = as[i][ty * 8 + j]; y[j] = bs[i][tx * 8 + j]; }
#pragma unroll
            for (int p = 0; p < 8; p++)
#pragma unroll
                for (int q = 0; q < 8; q++) sum[p][q] += x[p] * y[q];
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 8; q += 4)
            *(float4 *)&c[(row + ty * 8 + p) * n + column + tx * 8 + q] = make_float4(sum[p][q], sum[p][q + 1], sum[p][q + 2], sum[p][q + 3]);
}

extern "C" __global__ void floyd(float *d, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float through = d[y * n + k] + d[k * n + x];
    if (through < d[y * n + x]) d[y * n + x] = through;
}

extern "C" __global__ void matrix_vector(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < n; k += 32) sum += a[row * n + k] * x[k];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (lane == 0) y[row] = sum;
}

extern "C" __global__ void softmax(const float *in, float *out, int n)
{
    __shared__ float part[32];
    int t = threadIdx.x;
    const float *row = in + blockIdx.x * n;
    float most = -1e30f;
    for (int i = t; i < n; i += blockDim.x) most = fmaxf(most, row[i]);
    for (int s = 16; s > 0; s /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, s));
    if (t % 32 == 0) part[t / 32] = most;
    __syncthreads();
    for (int i = 0; i < blockDim.x / 32; i++) most = fmaxf(most, part[i]);
    __syncthreads();
    float sum = 0;
    for (int i = t; i < n; i += blockDim.x) sum += __expf(row[i] - most);
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (t % 32 == 0) part[t / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < blockDim.x / 32; i++) sum += part[i];
    for (int i = t; i < n; i += blockDim.x) out[blockIdx.x * n + i] = __expf(row[i] - most) / sum;
}
