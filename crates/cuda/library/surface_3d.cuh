// Surfaces of three dimensions. PTX does not read the fourth coordinate.
#include "surface.inc"
SURFACE(surf3D, "3d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]", (int x, int y, int z),
        (x, y, z), "r"(x), "r"(y), "r"(z))
#undef SURFACE
#undef FOUR
#undef TWO
#undef ONE
#undef ACCESS
#undef MODES
#undef LIST
