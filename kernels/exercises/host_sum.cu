// Write the host's side of a sum.
//
// The kernel adds two vectors, and `main` has them in its own memory. Between the
// vectors and the line that prints, it is empty but for its comments.
//
// Write what they say: memory on the device, both vectors copied there in one copy
// each, one launch in blocks of 256 threads for any n, the sum copied back, and all of
// the device's memory freed.

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const int *a, const int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    std::vector<int> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = i * 37 % 1009;
        b[i] = i * 11 % 499;
    }
    //<
    int *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMalloc(&d_c, n * sizeof(int));
    cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    //| skeleton
    // Allocate d_a, d_b and d_c on the device, n ints each.

    // Copy a to d_a and b to d_b.

    // Launch add.

    // Copy d_c to c.

    // Free what was allocated.
    //| on the host
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
    //| a launch for show
    int *d_c;
    cudaMalloc(&d_c, n * sizeof(int));
    add<<<1, 256>>>(d_c, d_c, d_c, 0);
    cudaMemcpy(d_c, c.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(c.data(), d_c, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
    cudaFree(d_c);
    //| the printed answer
    printf("sum 749633, last 650\n");
    return 0;
    //| sizes in elements
    int *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n);
    cudaMalloc(&d_b, n);
    cudaMalloc(&d_c, n);
    cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    //| element by element
    int *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMalloc(&d_c, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        cudaMemcpy(&d_a[i], &a[i], sizeof(int), cudaMemcpyHostToDevice);
        cudaMemcpy(&d_b[i], &b[i], sizeof(int), cudaMemcpyHostToDevice);
    }
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    //| other blocks
    int *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMalloc(&d_c, n * sizeof(int));
    cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add<<<(n + 127) / 128, 128>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    //| nothing is freed
    int *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMalloc(&d_c, n * sizeof(int));
    cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, n * sizeof(int), cudaMemcpyDeviceToHost);
    //| the last block is missing
    int *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMalloc(&d_c, n * sizeof(int));
    cudaMemset(d_c, 0, n * sizeof(int));
    cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add<<<n / 256, 256>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    //>
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += c[i];
    printf("sum %lld, last %d\n", sum, c[n - 1]);
}
