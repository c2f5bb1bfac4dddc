// Surfaces of one dimension, and of layers of it.
#include "surface.inc"
SURFACE(surf1D, "1d", "[%1, {%2}]", "[%2, {%3}]", "[%4, {%5}]", (int x), (x), "r"(x))
SURFACE(surf1DLayered, "a1d", "[%1, {%2, %3}]", "[%2, {%3, %4}]", "[%4, {%5, %6}]", (int x, int layer), (x, layer),
        "r"(layer), "r"(x))
#undef SURFACE
#undef FOUR
#undef TWO
#undef ONE
#undef ACCESS
#undef MODES
#undef LIST
