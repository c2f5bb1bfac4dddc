// Textures as programs use them: images that are turned and smoothed, volumes that rays cross, cubes around a scene, tables
// that are looked up, and handles that kernels find in memory.

// An image turned about its middle: coordinates from 0 to 1, a linear filter.
extern "C" __global__ void turn(cudaTextureObject_t image, float* out, int width, int height, float cosine, float sine)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
    out[y * width + x] = tex2D<float>(image, u * cosine - v * sine + 0.5f, v * cosine + u * sine + 0.5f);
}

// The mean of a square of pixels of bytes, read as floats.
extern "C" __global__ void smooth(cudaTextureObject_t image, uchar4* out, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            float4 pixel = tex2D<float4>(image, x + i + 0.5f, y + j + 0.5f);
            sum.x += pixel.x, sum.y += pixel.y, sum.z += pixel.z, sum.w += pixel.w;
        }
    float scale = 255.0f / ((2 * radius + 1) * (2 * radius + 1));
    out[y * width + x] = make_uchar4(sum.x * scale, sum.y * scale, sum.z * scale, sum.w * scale);
}

// The brightest place on the way of a ray through a volume.
extern "C" __global__ void brightest(cudaTextureObject_t volume, float* out, int width, int steps)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    float most = 0.0f;
    for (int i = 0; i < steps; i++) {
        float t = i / (float)steps;
        most = fmaxf(most, tex3D<float>(volume, x / (float)width + 0.25f * t, y / (float)gridDim.y, t));
    }
    out[y * width + x] = most;
}

// A cube around the origin, seen in directions that lie on none of its edges.
extern "C" __global__ void look(cudaTextureObject_t sky, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = (i % 7) * 0.25f - 0.8125f, b = (i / 7 % 7) * 0.25f - 0.6875f;
    float3 way[6] = {{1, a, b}, {-1, a, b}, {a, 1, b}, {a, -1, b}, {a, b, 1}, {a, b, -1}};
    float3 at = way[i / 49 % 6];
    out[i] = texCubemap<float>(sky, at.x, at.y, at.z);
}

// Layers beside each other, each moved by its number; the texels around a place; sizes.
extern "C" __global__ void layers(cudaTextureObject_t stack, float* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, layer = blockIdx.z;
    if (x < width) out[(layer * height + y) * width + x] = tex2DLayered<float>(stack, x + layer + 0.25f, y + 0.5f, layer);
}

extern "C" __global__ void around(cudaTextureObject_t image, float4* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2Dgather<float4>(image, i % 19 + 0.75f, i / 19 + 1.25f, i % 2);
}

// A table in linear memory: signed bytes as fractions, and past its end.
extern "C" __global__ void lookup(cudaTextureObject_t table, const int* places, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(table, places[i]);
}

// Handles in memory.
struct Layer
{
    float weight;
    cudaTextureObject_t image;
};

extern "C" __global__ void keep(cudaTextureObject_t a, cudaTextureObject_t b, Layer* layers)
{
    layers[0].weight = 0.75f, layers[0].image = a;
    layers[1].weight = 0.25f, layers[1].image = b;
}

extern "C" __global__ void mix(const Layer* layers, float* out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float sum = 0.0f;
    for (int i = 0; i < 2; i++) sum += layers[i].weight * tex2D<float>(layers[(i + x) % 2].image, x + 0.5f, y + 0.5f);
    if (x < width) out[y * width + x] = sum;
}
