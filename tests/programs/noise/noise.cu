// Pictures by formulas: Perlin's noise, a Julia set with a class of complex numbers, a sphere-traced distance field, the
// Mandelbulb, Bezier curves, hues, and boxes hit by rays through a grid (Amanatides and Woo).

struct Vec {
    float x, y, z;
    __device__ Vec operator+(Vec o) const { return {x + o.x, y + o.y, z + o.z}; }
    __device__ Vec operator-(Vec o) const { return {x - o.x, y - o.y, z - o.z}; }
    __device__ Vec operator*(float s) const { return {x * s, y * s, z * s}; }
    __device__ float dot(Vec o) const { return x * o.x + y * o.y + z * o.z; }
    __device__ float length() const { return sqrtf(dot(*this)); }
    __device__ Vec unit() const { return *this * rsqrtf(dot(*this)); }
};

__constant__ unsigned char permutation[64];

__device__ float gradient(int hash, float x, float y, float z)
{
    int h = hash & 15;
    float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return (h & 1 ? -u : u) + (h & 2 ? -v : v);
}

__device__ float mix(float a, float b, float t) { return a + t * (b - a); }

__device__ float perlin(float x, float y, float z)
{
    int i = (int)floorf(x), j = (int)floorf(y), k = (int)floorf(z);
    x -= i, y -= j, z -= k;
    auto fade = [](float t) { return t * t * t * (t * (t * 6 - 15) + 10); };
    auto p = [](int v) { return (int)permutation[v & 63]; };
    float u = fade(x), v = fade(y), w = fade(z);
    int a = p(i) + j, b = p(i + 1) + j, aa = p(a) + k, ab = p(a + 1) + k, ba = p(b) + k, bb = p(b + 1) + k;
    return mix(mix(mix(gradient(p(aa), x, y, z), gradient(p(ba), x - 1, y, z), u), mix(gradient(p(ab), x, y - 1, z), gradient(p(bb), x - 1, y - 1, z), u), v),
               mix(mix(gradient(p(aa + 1), x, y, z - 1), gradient(p(ba + 1), x - 1, y, z - 1), u), mix(gradient(p(ab + 1), x, y - 1, z - 1), gradient(p(bb + 1), x - 1, y - 1, z - 1), u), v), w);
}

extern "C" __global__ void clouds(float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0, scale = 1;
    for (int octave = 0; octave < 3; octave++, scale *= 0.5f)
        sum += scale * perlin(x * 0.13f / scale, y * 0.17f / scale, 0.4f - octave);
    out[y * width + x] = sum;
}

template <typename T> struct Complex {
    T r, i;
    __device__ Complex(T r, T i = 0) : r(r), i(i) {}
    __device__ T square() const { return r * r + i * i; }
    __device__ Complex operator*(const Complex &o) const { return {r * o.r - i * o.i, i * o.r + r * o.i}; }
    __device__ Complex operator+(const Complex &o) const { return {r + o.r, i + o.i}; }
};

// In whole numbers of 2^-20, so that every compiler finds the same.
struct Fixed {
    long long v;
    __device__ Fixed(long long v) : v(v) {}
    __device__ Fixed operator*(Fixed o) const { return (v * o.v) >> 20; }
    __device__ Fixed operator+(Fixed o) const { return v + o.v; }
    __device__ Fixed operator-(Fixed o) const { return v - o.v; }
};

extern "C" __global__ void julia(unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    Complex<Fixed> c(-838860ll, 163577ll), z(((long long)(2 * x - width) << 20) * 3 / (2 * width), ((long long)(2 * y - height) << 20) / height);
    int k = 0;
    for (; k < 100 && z.square().v < 4ll << 20; k++)
        z = z * z + c;
    out[y * width + x] = k;
}

__device__ float field(Vec p)
{
    float sphere = (p - Vec{0.3f, 0.1f, 0}).length() - 0.7f;
    Vec q = {fabsf(p.x) - 0.5f, fabsf(p.y) - 0.4f, fabsf(p.z) - 0.6f};
    float box = Vec{fmaxf(q.x, 0), fmaxf(q.y, 0), fmaxf(q.z, 0)}.length() + fminf(fmaxf(q.x, fmaxf(q.y, q.z)), 0);
    float h = __saturatef(0.5f + 0.5f * (box - sphere) / 0.2f);
    return mix(box, sphere, h) - 0.2f * h * (1 - h);
}

extern "C" __global__ void trace(float *depth, float *shade, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    Vec from = {0, 0, -3}, to = Vec{(x - 0.5f * width) / width, (y - 0.5f * height) / width, 1}.unit();
    float t = 0;
    for (int k = 0; k < 60; k++) {
        float d = field(from + to * t);
        t += d;
        if (d < 1e-4f || t > 8)
            break;
    }
    bool hit = t < 8;
    float light = 0;
    if (hit) {
        Vec p = from + to * t;
        const float e = 1e-2f;
        Vec n = Vec{field(p + Vec{e, 0, 0}) - field(p - Vec{e, 0, 0}), field(p + Vec{0, e, 0}) - field(p - Vec{0, e, 0}), field(p + Vec{0, 0, e}) - field(p - Vec{0, 0, e})}.unit();
        light = fmaxf(0, n.dot(Vec{0.6f, 0.64f, -0.48f}));
    }
    depth[y * width + x] = hit ? t : -1;
    shade[y * width + x] = light;
}

extern "C" __global__ void bulb(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec c = {0.4f + 0.01f * (i % 10), 0.3f, 0.2f + 0.01f * (i / 10)}, z = c;
    for (int k = 0; k < 3; k++) {
        float r = z.length(), theta = acosf(z.z / r) * 4, phi = atan2f(z.y, z.x) * 4, s = powf(r, 4);
        z = Vec{sinf(theta) * cosf(phi), sinf(theta) * sinf(phi), cosf(theta)} * s + c;
    }
    out[3 * i] = z.x;
    out[3 * i + 1] = z.y;
    out[3 * i + 2] = z.z;
}

// de Casteljau: control points in local memory.
extern "C" __global__ void bezier(const float2 *control, float2 *points, int degree, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 p[8];
    float t = (float)i / (n - 1);
    for (int k = 0; k <= degree; k++)
        p[k] = control[k];
    for (int level = degree; level > 0; level--)
        for (int k = 0; k < level; k++)
            p[k] = make_float2(mix(p[k].x, p[k + 1].x, t), mix(p[k].y, p[k + 1].y, t));
    points[i] = p[0];
}

extern "C" __global__ void hues(uchar4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int hue = i * 1530 / n, part = hue / 255, rest = hue % 255, r, g, b;
    switch (part) {
    case 0: r = 255, g = rest, b = 0; break;
    case 1: r = 255 - rest, g = 255, b = 0; break;
    case 2: r = 0, g = 255, b = rest; break;
    case 3: r = 0, g = 255 - rest, b = 255; break;
    case 4: r = rest, g = 0, b = 255; break;
    default: r = 255, g = 0, b = 255 - rest; break;
    }
    out[i] = make_uchar4(r, g, b, __vavgu4(r * 0x01010101u, g) & 255);
}

// Cells of a grid of 16 by 16 by 16 that a ray goes through.
extern "C" __global__ void cells(unsigned *hashes, int *counts)
{
    int i = threadIdx.x, cell[3] = {i % 4, i / 4, 3}, step[3], count = 0;
    double direction[3] = {1.0 + i * 0.125, i * 0.25 - 4.03125, 0.71875}, next[3], across[3];
    unsigned hash = 2166136261u;
    for (int a = 0; a < 3; a++) {
        step[a] = direction[a] < 0 ? -1 : 1;
        across[a] = 1 / fabs(direction[a]);
        next[a] = 0.5 * across[a];
    }
    while ((cell[0] | cell[1] | cell[2]) >= 0 && cell[0] < 16 && cell[1] < 16 && cell[2] < 16) {
        hash = (hash ^ (cell[0] << 8 | cell[1] << 4 | cell[2])) * 16777619u;
        count++;
        int a = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : (next[1] < next[2] ? 1 : 2);
        cell[a] += step[a];
        next[a] += across[a];
    }
    hashes[i] = hash;
    counts[i] = count;
}
