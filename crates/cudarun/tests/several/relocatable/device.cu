#include "device.cuh"

__constant__ float coefficients[2];
__device__ int counter = 100;

// The same name as in main.cu, and another kernel.
static __global__ void show(int *out) { *out = own + 10; }
extern __shared__ int buffer[];

__device__ float square(float x) { return x * x; }
template <class T> __device__ T cube(T x) { return x * x * x; }
template __device__ float cube<float>(float);
__host__ __device__ float Box::area() const { return width * height; }
__device__ void Box::grow(float by)
{
    width *= by;
    height *= by;
}
__device__ int sum(Couple couple) { return couple.first + couple.second; }

__global__ void areas(float *out)
{
    buffer[threadIdx.x] = threadIdx.x;
    Box box{ 1, 2 };
    box.grow(1.0f + buffer[threadIdx.x]);
    out[threadIdx.x] = box.area();
}

void set_coefficients()
{
    float values[2] = { 1, 0.5f };
    cudaMemcpyToSymbol(coefficients, values, sizeof values);
}

int steps()
{
    float *data;
    int *number, value;
    cudaMalloc(&data, 4 * sizeof(float));
    cudaMalloc(&number, sizeof(int));
    fill<<<1, 4>>>(data, 1.0f);
    show<<<1, 1>>>(number);
    cudaMemcpy(&value, number, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(number);
    return value;
}
