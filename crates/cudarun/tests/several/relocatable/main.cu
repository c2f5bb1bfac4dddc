#include "device.cuh"

static __global__ void show(int *out) { *out = own; }
extern __shared__ float buffer[];

__global__ void compute(float *data)
{
    buffer[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    float x = buffer[blockDim.x - 1 - threadIdx.x];
    data[threadIdx.x] = half(square(x)) * coefficients[0] + cube(x) * coefficients[1];
    if (threadIdx.x == 0)
        data[0] += sum(Couple{ 10, 20 });
}

int main()
{
    float *data, out[4];
    int *number, value;
    cudaMalloc(&data, sizeof out);
    cudaMalloc(&number, sizeof(int));
    set_coefficients();
    fill<<<1, 4>>>(data, 2.0f);
    compute<<<1, 4, sizeof out>>>(data);
    cudaMemcpy(out, data, sizeof out, cudaMemcpyDeviceToHost);
    printf("compute %g %g\n", out[0], out[3]);
    areas<<<1, 4, 4 * sizeof(int)>>>(data);
    cudaMemcpy(out, data, sizeof out, cudaMemcpyDeviceToHost);
    printf("areas %g %g, on the host %g\n", out[0], out[3], Box{ 2, 5 }.area());
    cudaMemcpyToSymbol(own, &(value = 5), sizeof(int));
    show<<<1, 1>>>(number);
    cudaMemcpy(&value, number, sizeof(int), cudaMemcpyDeviceToHost);
    printf("own here %d, there %d\n", value, steps());
    cudaMemcpyFromSymbol(&value, counter, sizeof(int));
    printf("filled %d times\n", value);
    cudaFree(data);
    cudaFree(number);
    return 0;
}
