// A picture that is rotated about its centre and scaled: which texels does a warp fetch, and how many sectors hold them?
//
// Coordinates are fractions of the picture's size, as wrapping and mirroring require.
extern "C" __global__ void turn(cudaTextureObject_t image, uchar4 *out, int size, float degrees, float scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size) return;
    float sine, cosine;
    sincospif(degrees / 180.0f, &sine, &cosine);
    float u = ((x + 0.5f) / size - 0.5f) / scale, v = ((y + 0.5f) / size - 0.5f) / scale;
    float4 colour = tex2D<float4>(image, u * cosine - v * sine + 0.5f, u * sine + v * cosine + 0.5f);
    out[y * size + x] = make_uchar4(255 * colour.x, 255 * colour.y, 255 * colour.z, 255);
}
