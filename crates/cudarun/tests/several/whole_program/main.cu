#include "common.cuh"

int get(void (*kernel)(int *))
{
    int *data, value;
    cudaMalloc(&data, sizeof(int));
    kernel<<<1, 1>>>(data);
    cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(data);
    return value;
}

int main()
{
    printf("%d %d\n", get(store<int>), get_elsewhere());
    raise_elsewhere(10);
    printf("%d %d\n", get(store<int>), get_elsewhere());
    int here = 100;
    cudaMemcpyToSymbol(seen, &here, sizeof(int));
    printf("%d %d\n", get(store<int>), get_elsewhere());
    void *mine;
    cudaGetSymbolAddress(&mine, level);
    cudaFuncAttributes attributes;
    printf("%d %d\n", mine != nullptr, cudaFuncGetAttributes(&attributes, store<int>) == cudaSuccess);
    return 0;
}
