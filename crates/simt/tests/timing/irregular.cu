// arch: compute_75
// Accesses and work that depend on data or on the thread, and arithmetic without memory.

__device__ unsigned mix(unsigned x)
{
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu;
    return x ^ x >> 16;
}

extern "C" __global__ void random_indices(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = mix(i) % (unsigned)n;
}

extern "C" __global__ void near_indices(int *out, int n, int spread)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = min(max(i + (int)(mix(i) % (unsigned)(2 * spread)) - spread, 0), n - 1);
}

extern "C" __global__ void gather(const float *in, const int *index, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}

extern "C" __global__ void put(const float *in, const int *index, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[index[i]] = in[i];
}

// Rows of `width` in the layout of columns, indices where `near_indices` or `random_indices` put them.
extern "C" __global__ void ell(const float *values, const int *columns, const float *x, float *y, int rows, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; k++) sum += values[k * rows + row] * x[columns[k * rows + row]];
    y[row] = sum;
}

// A level of a search in breadth: nodes of 4 to 11 edges, one in four of them is on the frontier.
extern "C" __global__ void bfs(const int *edges, const int *level, int *next, int nodes, int now)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nodes || (mix(i) & 3)) return;
    int degree = 4 + (mix(i + 77) & 7);
    for (int e = 0; e < degree; e++) {
        int to = edges[(i * 8 + e) % (nodes * 8)];
        if (level[to] == 0) next[to] = now + 1;
    }
}

extern "C" __global__ void binary_search(const int *sorted, const int *keys, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i], low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < key) low = middle + 1; else high = middle;
    }
    out[i] = low;
}

extern "C" __global__ void black_scholes(const float *s, const float *x, const float *t, float *call, float *put)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float root = sqrtf(t[i]), d1 = (__logf(s[i] / x[i]) + (0.02f + 0.045f) * t[i]) / (0.3f * root), d2 = d1 - 0.3f * root;
    float k1 = 1.0f / (1.0f + 0.2316419f * fabsf(d1)), k2 = 1.0f / (1.0f + 0.2316419f * fabsf(d2));
    float c1 = 0.39894228f * __expf(-0.5f * d1 * d1) * (k1 * (0.31938153f + k1 * (-0.356563782f + k1 * (1.781477937f + k1 * (-1.821255978f + k1 * 1.330274429f)))));
    float c2 = 0.39894228f * __expf(-0.5f * d2 * d2) * (k2 * (0.31938153f + k2 * (-0.356563782f + k2 * (1.781477937f + k2 * (-1.821255978f + k2 * 1.330274429f)))));
    if (d1 > 0) c1 = 1.0f - c1;
    if (d2 > 0) c2 = 1.0f - c2;
    float e = __expf(-0.02f * t[i]);
    call[i] = s[i] * c1 - x[i] * e * c2;
    put[i] = x[i] * e * (1.0f - c2) - s[i] * (1.0f - c1);
}

extern "C" __global__ void monte_carlo(int *inside, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = mix(i);
    int hits = 0;
    for (int r = 0; r < rounds; r++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * (1.0f / 16777216.0f);
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * (1.0f / 16777216.0f);
        hits += x * x + y * y < 1.0f;
    }
    inside[i] = hits;
}

// Forces from the particles of neighbouring boxes, which a block brings to shared memory.
extern "C" __global__ void boxes(const float4 *position, float4 *force, int count, int around)
{
    __shared__ float4 other[128];
    int t = threadIdx.x, box = blockIdx.x;
    float4 me = position[box * 128 + t], f = make_float4(0, 0, 0, 0);
    for (int k = 0; k < around; k++) {
        other[t] = position[(box + k * 7) % count * 128 + t];
        __syncthreads();
        for (int j = 0; j < 128; j++) {
            float4 o = other[j];
            float dx = me.x - o.x, dy = me.y - o.y, dz = me.z - o.z, r2 = dx * dx + dy * dy + dz * dz;
            float v = __expf(-0.5f * r2), s = o.w * v;
            f.x += s * dx; f.y += s * dy; f.z += s * dz; f.w += v;
        }
        __syncthreads();
    }
    force[box * 128 + t] = f;
}

extern "C" __global__ void bitonic(int *data, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    s[t] = data[base + t];
    s[t + 512] = data[base + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int at = 2 * t - (t & (stride - 1));
            bool up = (t & (size / 2)) == 0;
            int a = s[at], b = s[at + stride];
            if ((a > b) == up) { s[at] = b; s[at + stride] = a; }
        }
    __syncthreads();
    data[base + t] = mix(s[t]);
    data[base + t + 512] = mix(s[t + 512]);
}

extern "C" __global__ void scan(const int *in, int *out, int *sums)
{
    __shared__ int s[2][512];
    int t = threadIdx.x, i = blockIdx.x * 512 + t, now = 0;
    s[0][t] = in[i];
    __syncthreads();
    for (int d = 1; d < 512; d *= 2) {
        s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[i] = s[now][t];
    if (t == 511) sums[blockIdx.x] = s[now][t];
}

struct Particle { float x, y, z, vx, vy, vz, mass, age; };

extern "C" __global__ void move_structures(Particle *p, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i].x += p[i].vx * dt; p[i].y += p[i].vy * dt; p[i].z += p[i].vz * dt;
}

extern "C" __global__ void move_arrays(float *p, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] += p[i + 3 * n] * dt; p[i + n] += p[i + 4 * n] * dt; p[i + 2 * n] += p[i + 5 * n] * dt;
}

extern "C" __global__ void uneven(float *out, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, rounds = mix(i / 32) % most;
    float x = i;
    for (int r = 0; r < rounds; r++) x = x * 0.999f + 0.5f;
    out[i] = x;
}

extern "C" __global__ void private_histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[mix(in[i]) & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

extern "C" __global__ void saxpy(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void horner(const float *in, float *out, float a, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], p = a, q = a + 1;
    for (int k = 0; k < terms; k++) { p = p * x + a; q = q * x - a; }
    out[i] = p + q;
}

// One thread a string of 64 bytes.
extern "C" __global__ void hash_bytes(const unsigned char *in, unsigned *out, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = 2166136261u;
    for (int k = 0; k < length; k++) h = (h ^ in[i * length + k]) * 16777619u;
    out[i] = h;
}
