// More memory than the device has: by a product that comes first, by an int that overflows, and by intent.
#include <cstdio>
#include <cuda_runtime.h>
int main()
{
    float *data;
    size_t bytes = 1ll << 10 * sizeof(float);
    printf("%d\n", cudaMalloc(&data, bytes));
    int count = 1 << 30;
    printf("%d\n", cudaMalloc(&data, count * 2 + 0ll));
    printf("%d\n", cudaMalloc(&data, (size_t)1 << 50));
}
