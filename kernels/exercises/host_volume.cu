// Copy a volume with an extent.
//
// The program reads the size of a volume from its standard input: columns, rows and
// slices. The kernel adds 1 to each element of the device's volume, whose rows have a
// pitch; the host's has no gaps.
//
// Allocate the device's volume with cudaMalloc3D, and copy all of it there and back
// with one cudaMemcpy3D each. Of memory that is not an array, the width of an extent is
// in bytes; height and depth are in rows and slices.

#include <cstdio>
#include <vector>

__global__ void increment(cudaPitchedPtr volume, int width, int height, int depth)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    char *slice = (char *)volume.ptr + z * volume.pitch * height;
    float *row = (float *)(slice + y * volume.pitch);
    for (; x < width; x += blockDim.x) row[x] += 1.0f;
}

int main()
{
    int width, height, depth;
    if (scanf("%d %d %d", &width, &height, &depth) != 3) return 2;
    std::vector<float> v(width * height * depth);
    for (size_t i = 0; i < v.size(); i++) v[i] = i % 127;
    cudaPitchedPtr device;
    cudaMemcpy3DParms copy = {};
    //<
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaMalloc3D(&device, extent);
    copy.srcPtr = make_cudaPitchedPtr(v.data(), width * sizeof(float), width, height);
    copy.dstPtr = device;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    increment<<<dim3(height, depth), 64>>>(device, width, height, depth);
    copy.dstPtr = copy.srcPtr;
    copy.srcPtr = device;
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    //| skeleton
    cudaExtent extent = make_cudaExtent(width, height, depth);
    cudaMalloc3D(&device, extent);
    copy.srcPtr = make_cudaPitchedPtr(v.data(), width, width, height);
    copy.dstPtr = device;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    increment<<<dim3(height, depth), 64>>>(device, width, height, depth);
    //| the copy's extent in elements
    cudaMalloc3D(&device, make_cudaExtent(width * sizeof(float), height, depth));
    copy.srcPtr = make_cudaPitchedPtr(v.data(), width * sizeof(float), width, height);
    copy.dstPtr = device;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    increment<<<dim3(height, depth), 64>>>(device, width, height, depth);
    copy.dstPtr = copy.srcPtr;
    copy.srcPtr = device;
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    //| slice by slice
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    size_t bytes = extent.width;
    cudaMalloc3D(&device, extent);
    for (int z = 0; z < depth; z++) {
        char *slice = (char *)device.ptr + z * device.pitch * height;
        cudaMemcpy2D(slice, device.pitch, &v[z * width * height], bytes, bytes, height,
                     cudaMemcpyHostToDevice);
    }
    increment<<<dim3(height, depth), 64>>>(device, width, height, depth);
    for (int z = 0; z < depth; z++) {
        char *slice = (char *)device.ptr + z * device.pitch * height;
        cudaMemcpy2D(&v[z * width * height], bytes, slice, device.pitch, bytes, height,
                     cudaMemcpyDeviceToHost);
    }
    //| on the host
    cudaMalloc3D(&device, make_cudaExtent(width * sizeof(float), height, depth));
    for (float &one : v) one += 1.0f;
    //| without pitch
    device = make_cudaPitchedPtr(nullptr, width * sizeof(float), width, height);
    cudaMalloc(&device.ptr, v.size() * sizeof(float));
    cudaMemcpy(device.ptr, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
    increment<<<dim3(height, depth), 64>>>(device, width, height, depth);
    cudaMemcpy(v.data(), device.ptr, v.size() * sizeof(float), cudaMemcpyDeviceToHost);
    //>
    cudaFree(device.ptr);
    double sum = 0;
    for (float one : v) sum += one;
    printf("%zu elements, last %g, sum %.1f\n", v.size(), v.back(), sum);
}
