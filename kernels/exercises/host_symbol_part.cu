// Write to a part of a symbol.
//
// The table of 256 weights is in constant memory, and the host has set all of it. Then
// `count` weights change, from the weight `first` on.
//
// Copy only those that changed, with one cudaMemcpyToSymbol: its fourth argument is an
// offset, in bytes. At present, the program copies them to the beginning of the table.

#include <cstdio>
#include <cstdlib>
#include <vector>

__constant__ int weight[256];

__global__ void apply(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i * weight[i % 256];
}

int main(int argc, char **argv)
{
    int first = atoi(argv[1]), count = atoi(argv[2]), n = 1000;
    std::vector<int> table(256), out(n);
    for (int k = 0; k < 256; k++) table[k] = k + 1;
    cudaMemcpyToSymbol(weight, table.data(), 256 * sizeof(int));
    for (int k = first; k < first + count; k++) table[k] = -table[k];
    size_t bytes = count * sizeof(int);
    //<
    cudaMemcpyToSymbol(weight, &table[first], bytes, first * sizeof(int));
    //| skeleton
    cudaMemcpyToSymbol(weight, &table[first], bytes);
    //| the offset in elements
    cudaMemcpyToSymbol(weight, &table[first], bytes, first);
    //| the whole table again
    cudaMemcpyToSymbol(weight, table.data(), 256 * sizeof(int));
    //| the name in quotes
    cudaMemcpyToSymbol("weight", &table[first], bytes, first * sizeof(int));
    //| one weight at a time
    for (int k = first; k < first + count; k++)
        cudaMemcpyToSymbol(weight, &table[k], sizeof(int), k * sizeof(int));
    //| the table's end is passed
    cudaMemcpyToSymbol(weight, &table[first], 256 * sizeof(int), first * sizeof(int));
    //>
    int *d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    apply<<<(n + 127) / 128, 128>>>(d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    long long sum = 0;
    for (int one : out) sum += one;
    printf("sum %lld, out[%d] = %d\n", sum, first, out[first]);
}
