// Pages that a program asks the system for, and pins.
#include <cerrno>
#include <cstdio>
#include <memory.h>
#include <sys/mman.h>

__global__ void ramp(int *data) { data[threadIdx.x] = threadIdx.x; }

int main()
{
    const size_t bytes = 64 * sizeof(int);
    int *host = (int *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    printf("%d %d %d\n", host != MAP_FAILED, (size_t)host % 4096 == 0, host[63]);
    cudaHostRegister(host, bytes, cudaHostRegisterMapped);
    int *data;
    cudaMalloc(&data, bytes);
    ramp<<<1, 64>>>(data);
    cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    printf("%d %d\n", host[1], host[63]);
    cudaFree(data);
    cudaHostUnregister(host);
    printf("%d\n", munmap(host, bytes));
    bool refused = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, 3, 0) == MAP_FAILED;
    printf("%d %d\n", refused, errno == EBADF);
}
