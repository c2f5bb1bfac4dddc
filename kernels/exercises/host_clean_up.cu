// Free everything where a launch fails.
//
// A block has room for 227 KiB of shared memory, and each launch for less unless the
// kernel's attribute says otherwise: a launch that asks for too much fails. The program
// reports it and returns 1, as it should. But then it frees none of its memory, its
// pinned buffer, its stream and its event.
//
// Free all of it on both ways out, each exactly once.

#include <cstdio>
#include <cstdlib>

__global__ void reverse(const int *in, int *out)
{
    extern __shared__ int part[];
    part[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char **argv)
{
    size_t shared = atoi(argv[1]) * 1024, bytes = 256 * sizeof(int);
    int *numbers, *d_in, *d_out;
    cudaStream_t stream;
    cudaEvent_t done;
    cudaMallocHost(&numbers, bytes);
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaStreamCreate(&stream);
    cudaEventCreate(&done);
    for (int i = 0; i < 256; i++) numbers[i] = i;
    cudaMemcpyAsync(d_in, numbers, bytes, cudaMemcpyHostToDevice, stream);
    //< the launch
    reverse<<<1, 256, shared, stream>>>(d_in, d_out);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        cudaMemcpyAsync(numbers, d_out, bytes, cudaMemcpyDeviceToHost, stream);
        cudaEventRecord(done, stream);
        cudaEventSynchronize(done);
        printf("first %d, last %d\n", numbers[0], numbers[255]);
    } else {
        printf("reverse: %s\n", cudaGetErrorName(error));
    }
    //| skeleton
    reverse<<<1, 256, shared, stream>>>(d_in, d_out);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("reverse: %s\n", cudaGetErrorName(error));
        return 1;
    }
    cudaMemcpyAsync(numbers, d_out, bytes, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(done, stream);
    cudaEventSynchronize(done);
    printf("first %d, last %d\n", numbers[0], numbers[255]);
    //| only the device's memory
    reverse<<<1, 256, shared, stream>>>(d_in, d_out);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("reverse: %s\n", cudaGetErrorName(error));
        cudaFree(d_in);
        cudaFree(d_out);
        return 1;
    }
    cudaMemcpyAsync(numbers, d_out, bytes, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(done, stream);
    cudaEventSynchronize(done);
    printf("first %d, last %d\n", numbers[0], numbers[255]);
    //| not the stream and the event
    reverse<<<1, 256, shared, stream>>>(d_in, d_out);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("reverse: %s\n", cudaGetErrorName(error));
        cudaFree(d_in);
        cudaFree(d_out);
        cudaFreeHost(numbers);
        return 1;
    }
    cudaMemcpyAsync(numbers, d_out, bytes, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(done, stream);
    cudaEventSynchronize(done);
    printf("first %d, last %d\n", numbers[0], numbers[255]);
    //| freed on the way and again
    reverse<<<1, 256, shared, stream>>>(d_in, d_out);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        cudaMemcpyAsync(numbers, d_out, bytes, cudaMemcpyDeviceToHost, stream);
        cudaEventRecord(done, stream);
        cudaEventSynchronize(done);
        printf("first %d, last %d\n", numbers[0], numbers[255]);
    } else {
        printf("reverse: %s\n", cudaGetErrorName(error));
        cudaFree(d_in);
        cudaFree(d_out);
    }
    //| the launch is left out
    cudaError_t error = shared > 48 * 1024 ? cudaErrorInvalidValue : cudaSuccess;
    if (error == cudaSuccess)
        printf("first 255, last 0\n");
    else
        printf("reverse: %s\n", cudaGetErrorName(error));
    //| as if nothing had failed
    reverse<<<1, 256, shared, stream>>>(d_in, d_out);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        cudaMemcpyAsync(numbers, d_out, bytes, cudaMemcpyDeviceToHost, stream);
        cudaEventRecord(done, stream);
        cudaEventSynchronize(done);
        printf("first %d, last %d\n", numbers[0], numbers[255]);
    } else {
        printf("reverse: %s\n", cudaGetErrorName(error));
        error = cudaSuccess;
    }
    //>
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
    cudaFree(d_out);
    cudaFree(d_in);
    cudaFreeHost(numbers);
    return error == cudaSuccess ? 0 : 1;
}
