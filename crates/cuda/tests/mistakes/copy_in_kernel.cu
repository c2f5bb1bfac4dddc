__global__ void copy(float *to, const float *from, int n)
{
    cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    memcpy(to, from, n);
    std::copy(from, from + n, to);
}
