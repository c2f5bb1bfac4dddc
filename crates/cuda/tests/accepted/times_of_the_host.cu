// When the host's part was built is for the host alone.
#include <cstdio>
void banner() { printf("built on %s at %s\n", __DATE__, __TIME__); }
__global__ void k(int *p) { p[0] = 1; }
