// Devices: found, chosen, asked. `nvcc api_devices.cu` makes a program that prints the same on a machine with one H200.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
// What a call gives, where that is not success.
#define OK(call) do { cudaError_t st_ = (call); if (st_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(st_)); } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
int main()
{
    int device = -1, same = -1, value = -1, low = 1, high = 1;
    cudaDeviceProp wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.major = 1;
    SHOW(cudaChooseDevice(&device, &wanted));
    printf("device %d\n", device);
    SHOW(cudaInitDevice(0, 0, 0));
    SHOW(cudaInitDevice(99, 0, 0));
    char id[32] = "";
    SHOW(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    printf("%zu characters, %c %c %c\n", strlen(id), id[4], id[7], id[10]);
    SHOW(cudaDeviceGetByPCIBusId(&same, id));
    printf("device %d\n", same);
    SHOW(cudaDeviceGetPCIBusId(id, sizeof id, 99));
    SHOW(cudaDeviceGetByPCIBusId(&same, "no such device"));
    SHOW(cudaDeviceGetByPCIBusId(&same, "00:ff.0"));
    cudaFuncCache cache = cudaFuncCachePreferL1;
    SHOW(cudaDeviceGetCacheConfig(&cache));
    printf("cache %d\n", (int)cache);
    SHOW(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    SHOW(cudaDeviceGetStreamPriorityRange(&low, &high));
    printf("priorities %d to %d\n", low, high);
    SHOW(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
    unsigned flags = 0;
    SHOW(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    SHOW(cudaGetDeviceFlags(&flags));
    printf("blocking %d\n", (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
    SHOW(cudaSetDeviceFlags(0xffff));
    SHOW(cudaGetDeviceFlags(nullptr));
    SHOW(cudaDriverGetVersion(&value));
    int runtime = 0;
    OK(cudaRuntimeGetVersion(&runtime));
    printf("driver not older than runtime %d\n", value >= runtime);
    SHOW(cudaDriverGetVersion(nullptr));
    // A device and itself, and one that is not there.
    SHOW(cudaDeviceCanAccessPeer(&value, 0, 0));
    printf("access %d\n", value);
    SHOW(cudaDeviceCanAccessPeer(&value, 0, 99));
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 99));
    SHOW(cudaDeviceEnablePeerAccess(0, 0));
    SHOW(cudaDeviceEnablePeerAccess(99, 0));
    SHOW(cudaDeviceDisablePeerAccess(99));
    SHOW(cudaDeviceDisablePeerAccess(0));
    SHOW(cudaDeviceGraphMemTrim(0));
    SHOW(cudaDeviceGraphMemTrim(99));
}
