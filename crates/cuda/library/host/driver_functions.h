// Structs of the runtime API from their parts.
#pragma once
#include "driver_types.h"
inline cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    cudaPitchedPtr made = {d, p, xsz, ysz};
    return made;
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    cudaPos made = {x, y, z};
    return made;
}
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    cudaExtent made = {w, h, d};
    return made;
}
