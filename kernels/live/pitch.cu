// Rows that are copied: how many sectors do a warp's load and its store take?
//
// An element has BYTES bytes: 1, 2, 4, 8 or 16. Row r begins `pitch` bytes after row r - 1; the pitch is a multiple of
// BYTES, as a load of an element requires.
#ifndef BYTES
#define BYTES 4
#endif

#if BYTES == 16
typedef uint4 Element;
#elif BYTES == 8
typedef uint2 Element;
#elif BYTES == 4
typedef unsigned Element;
#elif BYTES == 2
typedef unsigned short Element;
#else
typedef unsigned char Element;
#endif

extern "C" __global__ void copy_rows(const unsigned *in, unsigned *out, size_t pitch, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const Element *from = (const Element *)((const char *)in + row * pitch);
    Element *to = (Element *)((char *)out + row * pitch);
    to[column] = from[column];
}
