#include <cstdio>
__global__ void hello() { printf("built on %s\n", __DATE__); }
// ANCHOR: warnings
warning[fixed-time]: `__DATE__` is always "Jan  1 1970" in this compiler: the same source gives the same PTX
 --> time_in_kernel.cu:2:51
  |
2 | __global__ void hello() { printf("built on %s\n", __DATE__); }
  |                                                   ^^^^^^^^
