// Filters with a memory: a thread goes down a column of packed colours and up again, a transposition makes rows of columns,
// and a window slides along a row of a texture whose ends repeat.
struct Colour {
    float r, g, b, a;
};

__device__ Colour unpack(unsigned c)
{
    const float scale = 1.0f / 255.0f;
    return {(c & 255) * scale, (c >> 8 & 255) * scale, (c >> 16 & 255) * scale, (c >> 24) * scale};
}

__device__ unsigned byte_of(float v) { return (unsigned)(__saturatef(fabsf(v)) * 255.0f); }

__device__ unsigned pack(const Colour &c)
{
    return byte_of(c.r) | byte_of(c.g) << 8 | byte_of(c.b) << 16 | byte_of(c.a) << 24;
}

__device__ Colour mixed(float p, const Colour &a, float q, const Colour &b, float s, const Colour &c)
{
    return {p * a.r + q * b.r + s * c.r, p * a.g + q * b.g + s * c.g, p * a.b + q * b.b + s * c.b, p * a.a + q * b.a + s * c.a};
}

// Second order, down and up: the two runs are summed.
extern "C" __global__ void both_ways(const unsigned *in, unsigned *out, int width, int height, float now, float once, float twice)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width)
        return;
    Colour before = unpack(in[x]), older = before;
    for (int y = 0; y < height; y++) {
        Colour c = mixed(now, unpack(in[y * width + x]), once, before, twice, older);
        out[y * width + x] = pack(c);
        older = before;
        before = c;
    }
    before = older = unpack(in[(height - 1) * width + x]);
    for (int y = height - 1; y >= 0; y--) {
        Colour c = mixed(now, unpack(in[y * width + x]), once, before, twice, older);
        older = before;
        before = c;
        Colour down = unpack(out[y * width + x]);
        out[y * width + x] = pack(mixed(0.5f, down, 0.5f, c, 0.0f, c));
    }
}

extern "C" __global__ void turn(const unsigned *in, unsigned *out, int width, int height)
{
    __shared__ unsigned tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

// A row a thread: what comes into the window is added, what leaves it taken away.
extern "C" __global__ void slide(cudaTextureObject_t image, float *out, int width, int height, int around)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height)
        return;
    float4 sum = {0, 0, 0, 0};
    float scale = __frcp_rn(2 * around + 1);
    auto add = [&](int x, float sign) {
        float4 c = tex2D<float4>(image, x, y);
        sum.x += sign * c.x;
        sum.y += sign * c.y;
        sum.z += sign * c.z;
    };
    for (int x = -around; x <= around; x++)
        add(x, 1.0f);
    for (int x = 0; x < width; x++) {
        out[y * width + x] = (sum.x + 2.0f * sum.y - sum.z) * scale;
        add(x + around + 1, 1.0f);
        add(x - around, -1.0f);
    }
}
