// Surfaces of two dimensions.
#include "surface.inc"
SURFACE(surf2D, "2d", "[%1, {%2, %3}]", "[%2, {%3, %4}]", "[%4, {%5, %6}]", (int x, int y), (x, y), "r"(x), "r"(y))
#undef SURFACE
#undef FOUR
#undef TWO
#undef ONE
#undef ACCESS
#undef MODES
#undef LIST
