// Pointers to functions of the device: in tables, from the host, of lambdas, with results and parameters that are structs.
#include <cstdio>

typedef double (*Operation)(double);
struct Pair {
    double a;
    int b;
};
__device__ double twice(double x) { return 2 * x; }
__device__ double half(double x) { return x / 2; }
__device__ double less(double x) { return x - 1; }
__device__ Pair swapped(Pair p, bool again) { return again ? Pair{p.a, p.b} : Pair{(double)p.b, (int)p.a}; }
__device__ Operation operations[] = {twice, half, less};
__device__ Operation chosen = less;
__constant__ Operation fixed = half;
__device__ Pair (*pairs)(Pair, bool) = swapped;

__global__ void apply(Operation operation, double *out)
{
    int i = threadIdx.x;
    Operation square = [](double x) { return x * x; };
    out[i] = operation(i) + 10 * operations[i % 3](i) + 1000 * square(i) + fixed(i);
}
template <typename T> __device__ T cube(T x) { return x * x * x; }
template <typename T, T (*Function)(T)> __global__ void applied(T *out) { out[threadIdx.x] = Function(out[threadIdx.x]); }
template <typename Function> __device__ double called(Function function, double x) { return function(x) + 1; }
__global__ void others(double *out)
{
    Pair pair = pairs({3.5, 4}, threadIdx.x == 1);
    out[threadIdx.x] = pair.a + pair.b + called(twice, 5);
    void (*nothing)(int) = nullptr;
    if (nothing == nullptr && threadIdx.x == 0)
        printf("no function; %d\n", operations[0] == twice && operations[0] != half);
}
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__global__ void recursive() { printf("%d\n", factorial(4 + threadIdx.x)); }

int main()
{
    double *out;
    cudaMallocManaged(&out, 6 * sizeof(double));
    Operation operation;
    cudaMemcpyFromSymbol(&operation, chosen, sizeof operation);
    apply<<<1, 6>>>(operation, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++)
        printf("%g ", out[i]);
    applied<double, cube<double>><<<1, 2>>>(out + 1);
    cudaDeviceSynchronize();
    printf("\n%g %g\n", out[1], out[2]);
    others<<<1, 2>>>(out);
    recursive<<<1, 2>>>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%g %g\n", out[0], out[1]);
}
