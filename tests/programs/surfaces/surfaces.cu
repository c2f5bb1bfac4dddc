// Surfaces: arrays that kernels write, and read back as textures or as surfaces, also beyond their edges.

extern "C" __global__ void paint(cudaSurfaceObject_t canvas, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width && y < height) surf2Dwrite(make_uchar4(x, y, x ^ y, 255), canvas, x * 4, y);
}

extern "C" __global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    uchar4 pixel = surf2Dread<uchar4>(from, x * 4, y, cudaBoundaryModeZero);
    surf2Dwrite(pixel, to, y * 4, x, cudaBoundaryModeZero);
}

extern "C" __global__ void edges(cudaSurfaceObject_t from, uchar4* clamped, uchar4* zero)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, x = i % 16 - 4, y = i / 16 - 4;
    clamped[i] = surf2Dread<uchar4>(from, x * 4, y, cudaBoundaryModeClamp);
    zero[i] = surf2Dread<uchar4>(from, x * 4, y, cudaBoundaryModeZero);
}

// One step of a wave, from a texture of the last one to a surface of the next.
extern "C" __global__ void wave(cudaTextureObject_t last, cudaSurfaceObject_t next, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float beside = tex2D<float>(last, x - 0.5f, y + 0.5f) + tex2D<float>(last, x + 1.5f, y + 0.5f);
    float above = tex2D<float>(last, x + 0.5f, y - 0.5f) + tex2D<float>(last, x + 0.5f, y + 1.5f);
    if (x < width) surf2Dwrite(0.25f * (beside + above), next, x * 4, y);
}

extern "C" __global__ void fill(cudaSurfaceObject_t volume, cudaSurfaceObject_t row, cudaSurfaceObject_t stack, int n)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    if (x >= n) return;
    surf3Dwrite<short2>(make_short2(x * y - z, z), volume, x * 4, y, z);
    if (y == 0 && z == 0) surf1Dwrite(make_uint2(3 * x, x), row, x * 8);
    surf2DLayeredwrite<unsigned char>(x + 10 * y + 100 * z, stack, x, y, z);
}

extern "C" __global__ void read(cudaSurfaceObject_t volume, cudaSurfaceObject_t row, cudaSurfaceObject_t stack, double* out)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    short2 pair = surf3Dread<short2>(volume, x * 4, y, z);
    uint2 number = surf1Dread<uint2>(row, x * 8);
    double sum = pair.x + 1000.0 * pair.y + 0.5 * number.x + 0.25 * number.y;
    out[(z * gridDim.x + y) * blockDim.x + x] = sum + 1e6 * surf2DLayeredread<unsigned char>(stack, x, y, z);
}
