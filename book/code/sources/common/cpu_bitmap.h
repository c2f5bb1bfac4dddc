// For the source's `#include "../common/cpu_bitmap.h"`: a picture in the host's memory. Where the source's own header opens a window,
// this one writes the picture to the file `bitmap.ppm`, upside up.
#pragma once
#include <stdio.h>
#include <stdlib.h>

struct CPUBitmap {
    unsigned char *pixels;
    int x, y;

    CPUBitmap(int width, int height, void * = nullptr) : x(width), y(height) {
        pixels = new unsigned char[image_size()];
    }
    ~CPUBitmap() { delete[] pixels; }
    unsigned char *get_ptr() const { return pixels; }
    long image_size() const { return x * y * 4L; }

    // OpenGL draws the first row at the bottom.
    void display_and_exit(void (*at_exit)(void *) = nullptr) {
        FILE *file = fopen("bitmap.ppm", "wb");
        if (!file) {
            fprintf(stderr, "bitmap.ppm cannot be written\n");
            exit(EXIT_FAILURE);
        }
        fprintf(file, "P6 %d %d 255\n", x, y);
        for (int row = y - 1; row >= 0; row--)
            for (int column = 0; column < x; column++) fwrite(pixels + 4 * (row * x + column), 1, 3, file);
        fclose(file);
        if (at_exit) at_exit(nullptr);
    }
};
