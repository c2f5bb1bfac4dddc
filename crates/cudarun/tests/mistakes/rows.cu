// Rows with padding, extents, and arrays.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess)
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
}

__global__ void sum_rows(const int *data, size_t pitch, int width, int height, int *out)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height)
        return;
    const int *line = (const int *)((const char *)data + row * pitch);
    int sum = 0;
    for (int x = 0; x < width; x++)
        sum += line[x]; // 1: uninitialised-read 2: uninitialised-read 3: uninitialised-read 4: uninitialised-read 5: uninitialised-read 6: uninitialised-read
    out[row] = sum;
}

int main()
{
    const int W = 100, H = 20;
    std::vector<int> image(W * H, 1), sums(H);
    int *rows, *out;
    size_t pitch;
    gpuErrchk(cudaMallocPitch(&rows, &pitch, W * sizeof(int), H));
    gpuErrchk(cudaMalloc(&out, H * sizeof(int)));
#if WRONG == 1
    gpuErrchk(cudaMemcpy(rows, image.data(), W * H * sizeof(int), cudaMemcpyHostToDevice)); // 1: dense-rows
#elif WRONG == 2
    gpuErrchk(cudaMemcpy2D(rows, pitch, image.data(), W * sizeof(int), W, H, cudaMemcpyHostToDevice)); // 2: width-in-elements
#elif WRONG == 3
    gpuErrchk(cudaMemcpy2D(rows, W * sizeof(int), image.data(), W * sizeof(int), W * sizeof(int), H, cudaMemcpyHostToDevice)); // 3: dense-rows
#elif WRONG == 4
    gpuErrchk(cudaMemcpy2D(rows, W * sizeof(int), image.data(), pitch, W * sizeof(int), H, cudaMemcpyHostToDevice)); // 4: dense-rows 4: out-of-bounds
#elif WRONG == 5
    gpuErrchk(cudaMemcpy2D(rows, W * sizeof(int), image.data(), W * sizeof(int), pitch, H, cudaMemcpyHostToDevice)); // 5: narrow-pitch
#elif WRONG == 6
    gpuErrchk(cudaMemset2D(rows, pitch, 0, W, H)); // 6: width-in-elements
#else
    gpuErrchk(cudaMemcpy2D(rows, pitch, image.data(), W * sizeof(int), W * sizeof(int), H, cudaMemcpyHostToDevice));
#endif
    sum_rows<<<1, 32>>>(rows, pitch, W, H, out);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpy(sums.data(), out, H * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d\n", sums[H - 1]);
#if WRONG == 7
    gpuErrchk(cudaMemcpy2D(image.data(), W * sizeof(int), rows, pitch, W * sizeof(int), W, cudaMemcpyDeviceToHost)); // 7: out-of-bounds
#elif WRONG == 8
    gpuErrchk(cudaMemcpy(image.data(), rows, W * H * sizeof(int), cudaMemcpyDeviceToHost)); // 8: dense-rows
#else
    gpuErrchk(cudaMemcpy2D(image.data(), W * sizeof(int), rows, pitch, W * sizeof(int), H, cudaMemcpyDeviceToHost));
#endif
    gpuErrchk(cudaFree(rows));
    gpuErrchk(cudaFree(out));

    // A block of 10 × 6 × 4 numbers.
    cudaPitchedPtr block;
    std::vector<float> cells(10 * 6 * 4, 2.f);
    gpuErrchk(cudaMalloc3D(&block, make_cudaExtent(10 * sizeof(float), 6, 4)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cells.data(), 10 * sizeof(float), 10, 6);
    copy.dstPtr = block;
    copy.kind = cudaMemcpyHostToDevice;
#if WRONG == 9
    copy.extent = make_cudaExtent(10 * sizeof(float), 4, 6);
#else
    copy.extent = make_cudaExtent(10 * sizeof(float), 6, 4);
#endif
    gpuErrchk(cudaMemcpy3D(&copy)); // 9: out-of-bounds
    gpuErrchk(cudaFree(block.ptr));

    cudaArray *texels;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
#if WRONG == 10
    gpuErrchk(cudaMallocArray(&texels, &format, 10, 6));
    gpuErrchk(cudaMemcpy2DToArray(texels, 0, 0, cells.data(), 10, 10, 6, cudaMemcpyHostToDevice)); // 10: width-in-elements
#else
    gpuErrchk(cudaMallocArray(&texels, &format, 10, 6));
    gpuErrchk(cudaMemcpy2DToArray(texels, 0, 0, cells.data(), 10 * sizeof(float), 10 * sizeof(float), 6, cudaMemcpyHostToDevice));
#endif
    gpuErrchk(cudaFreeArray(texels));
}
