// Square numbers on the device.
//
// The kernel squares n numbers in place. Write the host's side: memory, both copies, one
// launch for any n, and the end of the memory.

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void square(int *numbers, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] *= numbers[i];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    std::vector<int> numbers(n);
    for (int i = 0; i < n; i++) numbers[i] = i % 1000 + 2;
    //<
    int *device;
    cudaMalloc(&device, n * sizeof(int));
    cudaMemcpy(device, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    square<<<(n + 255) / 256, 256>>>(device, n);
    cudaMemcpy(numbers.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(device);
    //| skeleton
    // Here.
    //>
    long long sum = 0;
    for (int number : numbers) sum += number;
    printf("sum %lld, last %d\n", sum, numbers[n - 1]);
    return 0;
}
