// arch: compute_75
// Tables that all threads read at one place: in constant memory, and the same in global and in shared memory; and tables
// that all blocks read.

__constant__ __align__(16) float coefficients[8192];
#define centres ((const float4 *)coefficients)
#define rows ((const Row *)coefficients)

struct Row {
    float a, b, c, d, e, f, g; // 28 bytes: few of them are where a wide load could begin
};

extern "C" __global__ void nearest(const float4 *points, int *which, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    float4 p = points[i];
    float best = 1e30f;
    for (int c = 0; c < count; c++) {
        float x = p.x - centres[c].x, y = p.y - centres[c].y, z = p.z - centres[c].z;
        float distance = (x * x + y * y + z * z) * centres[c].w;
        if (distance < best) { best = distance; found = c; }
    }
    which[i] = found;
}

// Fewer centres, again and again.
extern "C" __global__ void nearest_few(const float4 *points, int *which, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    float4 p = points[i];
    float best = 1e30f;
    for (int again = 0; again < 16; again++)
        for (int c = 0; c < count; c++) {
            float x = p.x - centres[c].x, y = p.y - centres[c].y, z = p.z - centres[c].z;
            float distance = (x * x + y * y + z * z) * centres[c].w + (float)again;
            if (distance < best) { best = distance; found = c; }
        }
    which[i] = found;
}

extern "C" __global__ void nearest_global(const float4 *points, int *which, const float4 *list, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    float4 p = points[i];
    float best = 1e30f;
    for (int c = 0; c < count; c++) {
        float x = p.x - list[c].x, y = p.y - list[c].y, z = p.z - list[c].z;
        float distance = (x * x + y * y + z * z) * list[c].w;
        if (distance < best) { best = distance; found = c; }
    }
    which[i] = found;
}

// A chain of eight steps a centre, of which the next one's load can be under way.
extern "C" __global__ void potential(const float4 *points, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = points[i];
    float sum = 0;
    for (int c = 0; c < count; c++) {
        float4 q = centres[c];
        float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
        float r = x * x + y * y + z * z + 0.01f;
        sum += q.w * __expf(-r) * (1.0f + r * (0.5f + r * 0.25f));
    }
    out[i] = sum;
}

extern "C" __global__ void potential_global(const float4 *points, float *out, const float4 *list, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = points[i];
    float sum = 0;
    for (int c = 0; c < count; c++) {
        float4 q = list[c];
        float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
        float r = x * x + y * y + z * z + 0.01f;
        sum += q.w * __expf(-r) * (1.0f + r * (0.5f + r * 0.25f));
    }
    out[i] = sum;
}

// A value at a time, each waiting for the last.
extern "C" __global__ void horner(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], sum = 0;
    for (int c = 0; c < count; c++) sum = sum * x + coefficients[c];
    out[i] = sum;
}

// Each warp begins elsewhere in the table.
extern "C" __global__ void horner_apart(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32;
    float x = in[i], sum = 0;
    int at = warp * 1237 % count;
    for (int c = 0; c < count; c++) {
        sum = sum * x + coefficients[at];
        at = at + 1 == count ? 0 : at + 1;
    }
    out[i] = sum;
}

// The rarely taken branch is long; the short one is predicated.
extern "C" __global__ void planes(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[2 * i], y = in[2 * i + 1], best = -1, r = 0, s = 0, t = 0;
    for (int c = 0; c < count; c++) {
        float v = rows[c].a * x + rows[c].b * y;
        if (v > best) { best = v; r = rows[c].e; s = rows[c].f; t = rows[c].g; }
    }
    out[i] = best * r + s * t;
}

// Of rows as discs, the points of a picture that has 256 columns.
__device__ __forceinline__ float look(float x, float y, const Row &row)
{
    float dx = x - row.a, dy = y - row.b, d = 0.05f * row.c - dx * dx - dy * dy;
    return d > 0 ? sqrtf(d) / (row.d + 0.1f) + row.e * row.f : 0.0f;
}

extern "C" __global__ void discs(float *out, float step, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (i & 255) * 0.00390625f, y = (i >> 8) * step, sum = 0;
    for (int c = 0; c < count; c++) sum += look(x, y, rows[c]);
    out[i] = sum;
}

extern "C" __global__ void discs_20(float *out, float step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (i & 255) * 0.00390625f, y = (i >> 8) * step, sum = 0;
    for (int c = 0; c < 20; c++) sum += look(x, y, rows[c]);
    out[i] = sum;
}

// The loop over points makes the control flow one that may differ from thread to thread.
extern "C" __global__ void potential_in_turn(const float4 *points, float *out, int all, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
        float4 p = points[i];
        float sum = 0;
        for (int c = 0; c < count; c++) {
            float4 q = centres[c];
            float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
            float r = x * x + y * y + z * z + 0.01f;
            sum += q.w * __expf(-r) * (1.0f + r * (0.5f + r * 0.25f));
        }
        out[i] = sum;
    }
}

extern "C" __global__ void horner_in_turn(const float *in, float *out, int all, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
        float x = in[i], sum = 0;
        for (int c = 0; c < count; c++) sum = sum * x + coefficients[c];
        out[i] = sum;
    }
}

// All blocks read one table, a line a warp: what one block brings, its neighbours may find.
extern "C" __global__ void common(const float *in, const float *table, float *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], sum = 0;
    for (int k = 0; k < rounds; k++) sum += fabsf(x - table[k * blockDim.x + threadIdx.x]);
    out[i] = sum;
}

// Every fourth block reads the same table.
extern "C" __global__ void common_of_four(const float *in, const float *table, float *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *mine = table + blockIdx.x % 4 * rounds * blockDim.x;
    float x = in[i], sum = 0;
    for (int k = 0; k < rounds; k++) sum += fabsf(x - mine[k * blockDim.x + threadIdx.x]);
    out[i] = sum;
}
