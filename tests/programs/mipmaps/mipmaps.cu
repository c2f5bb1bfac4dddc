// Mipmapped textures as programs use them: levels that a kernel makes, each of the one before, through textures and
// surfaces of single levels; then all of them as one texture, with the level named or found from gradients.

// A level from the one before, whose four texels the filter's middle averages.
extern "C" __global__ void halve(cudaTextureObject_t above, cudaSurfaceObject_t level, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float4 mean = tex2D<float4>(above, (x + 0.5f) / width, (y + 0.5f) / height);
    uchar4 bytes = make_uchar4(mean.x * 255.0f + 0.5f, mean.y * 255.0f + 0.5f, mean.z * 255.0f + 0.5f, mean.w * 255.0f + 0.5f);
    surf2Dwrite(bytes, level, x * 4, y);
}

// A floor seen from above it: further away, levels are smaller.
extern "C" __global__ void floor_far(cudaTextureObject_t tiles, float4* out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    float distance = 1.0f + y * 0.5f;
    out[y * width + x] = tex2DLod<float4>(tiles, (x + 0.5f) / width * distance, distance * 0.25f, log2f(distance) - 0.25f);
}

// Gradients along one coordinate at a time.
extern "C" __global__ void floor_near(cudaTextureObject_t tiles, float4* out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    float change = (y + 1) / 64.0f;
    float2 across = make_float2(x & 1 ? change : 0.0f, 0.0f), down = make_float2(0.0f, x & 1 ? 0.0f : change);
    out[y * width + x] = tex2DGrad<float4>(tiles, (x + 0.5f) / width, y * 0.125f, across, down);
}

// A volume with levels, the smallest of which is a texel.
extern "C" __global__ void through(cudaTextureObject_t volume, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex3DLod<float>(volume, i % 7 / 7.0f, i % 11 / 11.0f, i % 13 / 13.0f, i % 17 * 0.25f - 0.5f);
}
