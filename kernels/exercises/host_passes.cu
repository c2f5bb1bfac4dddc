// Set constants before each pass.
//
// A polynomial has 16 coefficients for each pass, more in all than the symbol `factor`
// has room for. The kernel adds the terms of one pass and notes in `added` how many it
// has added.
//
// Copy the coefficients of each pass to `factor` before its launch, and at the end copy
// `added` back from its symbol with cudaMemcpyFromSymbol. At present, all passes use
// the first coefficients, and `added` is never read.

#include <cstdio>
#include <cstdlib>
#include <vector>

__constant__ int factor[16];
__device__ int added;

__global__ void pass(int *out, int n, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = 0; k < 16; k++) sum += factor[k] * (i % (first + k + 1));
    out[i] += sum;
    if (i == 0) added += 16;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), passes = atoi(argv[2]), terms = 0;
    std::vector<int> factors(16 * passes), out(n);
    for (int k = 0; k < 16 * passes; k++) factors[k] = (k * 7 + 3) % 19;
    int *d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemset(d_out, 0, n * sizeof(int));
    //<
    for (int p = 0; p < passes; p++) {
        cudaMemcpyToSymbol(factor, &factors[16 * p], sizeof(factor));
        pass<<<(n + 127) / 128, 128>>>(d_out, n, 16 * p);
    }
    cudaMemcpyFromSymbol(&terms, added, sizeof(terms));
    //| skeleton
    cudaMemcpyToSymbol(factor, factors.data(), sizeof(factor));
    for (int p = 0; p < passes; p++)
        pass<<<(n + 127) / 128, 128>>>(d_out, n, 16 * p);
    //| all coefficients at once
    cudaMemcpyToSymbol(factor, factors.data(), 16 * passes * sizeof(int));
    for (int p = 0; p < passes; p++)
        pass<<<(n + 127) / 128, 128>>>(d_out, n, 16 * p);
    cudaMemcpyFromSymbol(&terms, added, sizeof(terms));
    //| the shadow on the host
    for (int p = 0; p < passes; p++) {
        cudaMemcpyToSymbol(factor, &factors[16 * p], sizeof(factor));
        pass<<<(n + 127) / 128, 128>>>(d_out, n, 16 * p);
    }
    terms = added;
    //| counted on the host
    for (int p = 0; p < passes; p++) {
        cudaMemcpyToSymbol(factor, &factors[16 * p], sizeof(factor));
        pass<<<(n + 127) / 128, 128>>>(d_out, n, 16 * p);
    }
    terms = 16 * passes;
    //| overwritten while it is read
    cudaStream_t copies, kernels;
    cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (int p = 0; p < passes; p++) {
        cudaMemcpyToSymbolAsync(factor, &factors[16 * p], sizeof(factor), 0,
                                cudaMemcpyHostToDevice, copies);
        pass<<<(n + 127) / 128, 128, 0, kernels>>>(d_out, n, 16 * p);
    }
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&terms, added, sizeof(terms));
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
    //| one coefficient at a time
    for (int p = 0; p < passes; p++) {
        const int *own = &factors[16 * p];
        for (int k = 0; k < 16; k++)
            cudaMemcpyToSymbol(factor, own + k, sizeof(int), k * sizeof(int));
        pass<<<(n + 127) / 128, 128>>>(d_out, n, 16 * p);
    }
    cudaMemcpyFromSymbol(&terms, added, sizeof(terms));
    //>
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    long long sum = 0;
    for (int one : out) sum += one;
    printf("%d terms, sum %lld\n", terms, sum);
}
