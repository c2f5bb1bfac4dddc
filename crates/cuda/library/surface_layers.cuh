// Surfaces of layers and of the faces of cubes, which are layers too. PTX does not read the fourth coordinate.
#include "surface.inc"
SURFACE(surf2DLayered, "a2d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]",
        (int x, int y, int layer), (x, y, layer), "r"(layer), "r"(x), "r"(y))
SURFACE(surfCubemap, "a2d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]",
        (int x, int y, int face), (x, y, face), "r"(face), "r"(x), "r"(y))
SURFACE(surfCubemapLayered, "a2d", "[%1, {%2, %3, %4, %4}]", "[%2, {%3, %4, %5, %5}]", "[%4, {%5, %6, %7, %7}]",
        (int x, int y, int face), (x, y, face), "r"(face), "r"(x), "r"(y))
#undef SURFACE
#undef FOUR
#undef TWO
#undef ONE
#undef ACCESS
#undef MODES
#undef LIST
