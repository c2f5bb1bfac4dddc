#include "../common/book.h"
#define SIZE (4 * 1024)

__global__ void histo_kernel(unsigned char *buffer, long size, unsigned int *histo)
{
    __shared__ unsigned int temp[256];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&temp[buffer[i]], 1);
        i += stride;
    }
    __syncthreads();
    atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}

int main(void)
{
    unsigned char *buffer = (unsigned char *)big_random_block(SIZE);
    unsigned char *dev_buffer;
    unsigned int *dev_histo, histo[256];
    HANDLE_ERROR(cudaMalloc((void **)&dev_buffer, SIZE));
    HANDLE_ERROR(cudaMemcpy(dev_buffer, buffer, SIZE, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMalloc((void **)&dev_histo, 256 * sizeof(int)));
    HANDLE_ERROR(cudaMemset(dev_histo, 0, 256 * sizeof(int)));
    histo_kernel<<<8, 256>>>(dev_buffer, SIZE, dev_histo);
    HANDLE_ERROR(cudaMemcpy(histo, dev_histo, 256 * sizeof(int), cudaMemcpyDeviceToHost));
    long sum = 0;
    for (int i = 0; i < 256; i++)
        sum += histo[i];
    printf("Histogram Sum: %ld\n", sum);
    for (int i = 0; i < SIZE; i++)
        histo[buffer[i]]--;
    for (int i = 0; i < 256; i++)
        if (histo[i] != 0)
            printf("Failure at %d!\n", i);
    int a = 1, b = 2;
    swap(a, b);
    cudaFree(dev_histo);
    cudaFree(dev_buffer);
    free(buffer);
    return a - 2;
}
