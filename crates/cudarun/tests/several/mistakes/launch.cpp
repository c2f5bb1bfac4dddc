#include <cuda_runtime.h>
void kernel(int *p);
int main() { kernel<<<1, 1>>>(nullptr); }
