// What the headers of NVIDIA's samples have: devices, flags, timers, exceptions, comparisons.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

StopWatchInterface *timer = NULL;

__global__ void twice(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2;
}

int main(int argc, char **argv)
{
    int device = findCudaDevice(argc, (const char **)argv);
    printf("%d %d %s\n", device, checkCudaCapabilities(3, 0), checkCudaCapabilities(99, 0) ? "" : "too new");
    for (int version : {35, 52, 60, 61, 70, 75, 80, 86, 89, 90, 100, 120})
        printf("%d.%d: %d %s\n", version / 10, version % 10, _ConvertSMVer2Cores(version / 10, version % 10),
               _ConvertSMVer2ArchName(version / 10, version % 10));
    const int n = 64;
    float host[n], expected[n], *data;
    for (int i = 0; i < n; ++i) {
        host[i] = i;
        expected[i] = 2 * i;
    }
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    checkCudaErrors(cudaMalloc((void **)&data, sizeof host));
    checkCudaErrors(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
    twice<<<2, 32>>>(data, n);
    getLastCudaError("twice() failed");
    checkCudaErrors(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(data));
    sdkStopTimer(&timer);
    float once = sdkGetTimerValue(&timer);
    sdkStartTimer(&timer);
    checkCudaErrors(cudaDeviceSynchronize());
    sdkStopTimer(&timer);
    float both = sdkGetTimerValue(&timer), mean = sdkGetAverageTimerValue(&timer);
    printf("%d %d %d\n", once > 0, both >= once, mean == both / 2);
    sdkResetTimer(&timer);
    printf("%g\n", sdkGetTimerValue(&timer));
    sdkDeleteTimer(&timer);
    printf("%d\n", timer == NULL);

    printf("%d %d\n", compareData(expected, host, n, 1e-6f, 0.0f), sdkCompareL2fe(expected, host, n, 1e-6f));
    host[5] += 1;
    printf("%d %d %d\n", compareData(expected, host, n, 0.5f, 0.0f), compareData(expected, host, n, 0.5f, 0.15f),
           sdkCompareL2fe(expected, host, n, 1e-6f));
    printf("%d\n", compareDataAsFloatThreshold(expected, host, n, 0.5f, 0.0f));

    const char *given[] = {"program", "--size=12", "-scale=2.5", "file=a.bin", "-Quick", "-n7"};
    const int count = sizeof given / sizeof *given;
    char *file = NULL, *none = NULL;
    int value = 0;
    printf("%d %g %d\n", getCmdLineArgumentInt(count, given, "size"), getCmdLineArgumentFloat(count, given, "scale="),
           getCmdLineArgumentInt(count, given, "n"));
    printf("%d %d %d\n", checkCmdLineFlag(count, given, "quick"), checkCmdLineFlag(count, given, "qui"),
           checkCmdLineFlag(count, given, "size"));
    bool found = getCmdLineArgumentString(count, given, "file", &file);
    printf("%d %s\n", found, file);
    found = getCmdLineArgumentString(count, given, "other", &none);
    printf("%d %d\n", found, none == NULL);
    found = getCmdLineArgumentValue(count, given, "size", &value);
    printf("%d %d\n", found, value);
    printf("%d %d %d %d\n", ftoi(2.5f), ftoi(-2.5f), MAX(2, 3), MIN(2, 3));
    try {
        RUNTIME_EXCEPTION("no more");
    } catch (const std::runtime_error &error) {
        printf("%s", error.what());
    }
    if (!sdkFindFilePath("missing.pgm", argv[0]))
        printLastCudaError("nothing is wrong");
    cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice);
    printLastCudaError("a null pointer");
    checkCudaErrors(cudaSetDevice(7));
    printf("not reached\n");
}
