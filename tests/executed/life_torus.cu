extern "C" __global__ void plain(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                n += in[(y + dy + h) % h * w + (x + dx + w) % w];
    unsigned char alive = in[y * w + x];
    out[y * w + x] = n == 3 || (alive && n == 2);
}
extern "C" __global__ void shared_tile(const unsigned char *in, unsigned char *out, int w, int h)
{
    __shared__ unsigned char s[10][18];
    int bx = blockIdx.x * 16, by = blockIdx.y * 8, t = threadIdx.y * 16 + threadIdx.x;
    for (int i = t; i < 180; i += 128) {
        int y = (by + i / 18 - 1 + h) % h, x = (bx + i % 18 - 1 + w) % w;
        s[i / 18][i % 18] = in[y * w + x];
    }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int n = s[y - 1][x - 1] + s[y - 1][x] + s[y - 1][x + 1] + s[y][x - 1] + s[y][x + 1] + s[y + 1][x - 1] + s[y + 1][x] + s[y + 1][x + 1];
    out[(by + threadIdx.y) * w + bx + threadIdx.x] = n == 3 || (n == 2 && s[y][x]);
}
