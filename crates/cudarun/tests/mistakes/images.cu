// Pitched memory, symbols and arrays through structures, templates and wrappers.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess)
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
}

template <class T> struct Image {
    T *data;
    size_t pitch;
    int width, height;
    __host__ __device__ T *row(int y) const
    {
#if WRONG == 1
        return data + y * pitch;
#else
        return (T *)((char *)data + y * pitch);
#endif
    }
};

struct Filter {
    float weights[9];
    int radius;
};
__constant__ Filter filter;
__device__ float *result_pointer;
__device__ float results[32];

template <class T> __global__ void convolve(Image<T> in, Image<T> out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int cx = min(max(x + dx, 0), in.width - 1), cy = min(max(y + dy, 0), in.height - 1);
            sum += filter.weights[(dy + 1) * 3 + dx + 1] * in.row(cy)[cx]; // 1: out-of-bounds-global 4: uninitialised-read 6: uninitialised-read 7: uninitialised-read 8: uninitialised-read 9: uninitialised-read
        }
    out.row(y)[x] = (T)sum;
}
__global__ void tell() { results[threadIdx.x] = filter.radius + threadIdx.x; } // 7: uninitialised-read 8: uninitialised-read

template <class T> Image<T> make(int width, int height)
{
    Image<T> image = {nullptr, 0, width, height};
#if WRONG == 2
    HANDLE_ERROR(cudaMallocPitch(&image.data, &image.pitch, width, height));
#elif WRONG == 3
    HANDLE_ERROR(cudaMallocPitch(&image.data, &image.pitch, height * sizeof(T), width));
#else
    HANDLE_ERROR(cudaMallocPitch(&image.data, &image.pitch, width * sizeof(T), height));
#endif
    return image;
}

template <class T> void upload(const Image<T> &image, const std::vector<T> &from)
{
#if WRONG == 4
    HANDLE_ERROR(cudaMemcpy(image.data, &from[0], from.size() * sizeof(T), cudaMemcpyHostToDevice)); // 4: dense-rows
#elif WRONG == 5
    HANDLE_ERROR(cudaMemcpy2D(image.data, image.pitch, &from[0], image.pitch, image.width * sizeof(T), image.height, // 5: out-of-bounds
                              cudaMemcpyHostToDevice));
#elif WRONG == 6
    HANDLE_ERROR(cudaMemcpy2D(image.data, image.pitch, &from[0], image.width * sizeof(T), image.height * sizeof(T), image.width, // 6: out-of-bounds
                              cudaMemcpyHostToDevice));
#else
    HANDLE_ERROR(cudaMemcpy2D(image.data, image.pitch, &from[0], image.width * sizeof(T), image.width * sizeof(T), image.height, // 2: wide-rows 3: wide-rows
                              cudaMemcpyHostToDevice));
#endif
}

int main()
{
    const int width = 70, height = 30;
    std::vector<float> pixels(width * height, 2.f);
    Image<float> in = make<float>(width, height), out = make<float>(width, height);
    upload(in, pixels);
    Filter host = {{0, 0, 0, 0, 1, 0, 0, 0, 0}, 1};
#if WRONG == 7
    Filter *device = &filter;
    HANDLE_ERROR(cudaMemcpy(device, &host, sizeof(Filter), cudaMemcpyHostToDevice)); // 7: copy-kind
#elif WRONG == 8
    HANDLE_ERROR(cudaMemcpyToSymbol(filter, &host, sizeof(&host))); // 8: size-in-elements
#elif WRONG == 9
    HANDLE_ERROR(cudaMemcpyToSymbol(filter, host.weights, sizeof(host.weights), sizeof(int)));
#else
    HANDLE_ERROR(cudaMemcpyToSymbol(filter, &host, sizeof(Filter)));
#endif
    dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    convolve<float><<<grid, block>>>(in, out);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());
#if WRONG == 10
    HANDLE_ERROR(cudaMemcpy2D(pixels.data(), out.pitch, out.data, out.pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost)); // 10: out-of-bounds
#elif WRONG == 11
    for (int y = 0; y < height; y++)
        HANDLE_ERROR(cudaMemcpy(&pixels[y * width], out.row(y), out.pitch, cudaMemcpyDeviceToHost)); // 11: out-of-bounds
#else
    HANDLE_ERROR(cudaMemcpy2D(pixels.data(), width * sizeof(float), out.data, out.pitch, width * sizeof(float), height, // 2: wide-rows 3: wide-rows
                              cudaMemcpyDeviceToHost));
#endif
    printf("%g\n", pixels[width + 1]);

    tell<<<1, 32>>>();
    HANDLE_ERROR(cudaGetLastError());
    float back[32];
#if WRONG == 12
    float *address = results;
    HANDLE_ERROR(cudaMemcpy(back, address, sizeof(back), cudaMemcpyDeviceToHost)); // 12: copy-kind
#elif WRONG == 13
    float *address;
    HANDLE_ERROR(cudaGetSymbolAddress((void **)&address, "results")); // 13: not-a-symbol
#elif WRONG == 14
    HANDLE_ERROR(cudaMemcpyFromSymbol(back, results, sizeof(back), 16)); // 14: out-of-bounds
#else
    float *address;
    HANDLE_ERROR(cudaGetSymbolAddress((void **)&address, results));
    HANDLE_ERROR(cudaMemcpy(back, address, sizeof(back), cudaMemcpyDeviceToHost));
#endif
    printf("%g\n", back[4]);
    HANDLE_ERROR(cudaFree(in.data));
    HANDLE_ERROR(cudaFree(out.data));
}
