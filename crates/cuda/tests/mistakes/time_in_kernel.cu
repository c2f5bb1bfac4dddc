#include <cstdio>
__global__ void hello() { printf("built on %s\n", __DATE__); }
