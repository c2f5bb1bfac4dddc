// The Mandelbrot set, and a Julia set: loops whose length differs from lane to lane.
#ifdef __clang__
#include "../clang.h"
#endif

// Fixed point, so that every compiler agrees on every pixel.
extern "C" __global__ void mandelbrot(unsigned short *image, int width, int height, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    int cx = px * 3 * 65536 / width - 2 * 65536, cy = py * 2 * 65536 / height - 65536, x = 0, y = 0, n = 0;
    while (n < limit) {
        int xx = (int)((long long)x * x >> 16), yy = (int)((long long)y * y >> 16);
        if (xx + yy > 4 * 65536)
            break;
        y = (int)((long long)x * y >> 15) + cy;
        x = xx - yy + cx;
        n++;
    }
    image[py * width + px] = n;
}

extern "C" __global__ void julia(unsigned char *image, int width, int height, double cx, double cy)
{
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < width * height; p += gridDim.x * blockDim.x) {
        double x = (p % width - width / 2) * 0.05, y = (p / width - height / 2) * 0.05;
        int n = 0;
        do {
            double next = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = next;
        } while (x * x + y * y < 4 && ++n < 60);
        image[p] = n;
    }
}
