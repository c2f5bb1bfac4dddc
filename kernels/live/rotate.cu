// A picture that is rotated about its centre: each thread looks up one pixel. How many sectors does a warp load?
extern "C" __global__ void rotate(const uchar4 *in, uchar4 *out, int size, float degrees) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sine, cosine;
    sincospif(degrees / 180.0f, &sine, &cosine);
    float u = x + 0.5f - size / 2, v = y + 0.5f - size / 2;
    int column = (int)floorf(u * cosine - v * sine) + size / 2;
    int row = (int)floorf(u * sine + v * cosine) + size / 2;
    bool within = column >= 0 && column < size && row >= 0 && row < size;
    out[y * size + x] = within ? in[row * size + column] : make_uchar4(0, 0, 0, 0);
}
