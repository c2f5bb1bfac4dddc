// Checks of the runtime's errors and the choice of a device, as in NVIDIA's samples; what they print is what those print.
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>
#include <helper_string.h>
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
template <typename T> void check(T result, const char *const func, const char *const file, const int line)
{
    if (!result)
        return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)result, _cudaGetErrorEnum(result), func);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
inline bool __samples_last_error(const char *message, const char *file, int line)
{
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message, (int)error,
                cudaGetErrorString(error));
    return error != cudaSuccess;
}
inline void __getLastCudaError(const char *errorMessage, const char *file, const int line)
{
    if (__samples_last_error(errorMessage, file, line))
        exit(EXIT_FAILURE);
}
inline void __printLastCudaError(const char *errorMessage, const char *file, const int line)
{
    __samples_last_error(errorMessage, file, line);
}
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)

// To the nearest; a half goes away from zero.
inline int ftoi(float value) { return int(value < 0 ? value - 0.5 : value + 0.5); }

// Lanes for single precision of a multiprocessor, and the name of its architecture, by the table of compute capabilities.
inline int _ConvertSMVer2Cores(int major, int minor)
{
    switch (major) {
    case 3: return 192;
    case 5: return 128;
    case 6: return minor == 0 ? 64 : 128;
    case 7: return 64;
    case 8: return minor == 0 ? 64 : 128;
    case 9: case 10: case 11: case 12: return 128;
    }
    printf("MapSMtoCores for SM %d.%d is undefined.  Default to use %d Cores/SM\n", major, minor, 128);
    return 128;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
    switch (major) {
    case 3: return "Kepler";
    case 5: return "Maxwell";
    case 6: return "Pascal";
    case 7: return minor == 0 ? "Volta" : minor == 2 ? "Xavier" : "Turing";
    case 8: return minor == 9 ? "Ada" : "Ampere";
    case 9: return "Hopper";
    case 10: case 11: case 12: return "Blackwell";
    }
    printf("MapSMtoArchName for SM %d.%d is undefined.  Default to use %s\n", major, minor, "Blackwell");
    return "Blackwell";
}

inline int __samples_attribute(cudaDeviceAttr attribute, int device)
{
    int value = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}
inline int __samples_devices(const char *asked_by)
{
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (count == 0) {
        fprintf(stderr, "%sCUDA error: no devices supporting CUDA.\n", asked_by);
        exit(EXIT_FAILURE);
    }
    return count;
}
inline bool __samples_prohibited(int device)
{
    return __samples_attribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited;
}
// A device that prints who it is.
inline void __samples_greet(int device)
{
    int major = __samples_attribute(cudaDevAttrComputeCapabilityMajor, device);
    int minor = __samples_attribute(cudaDevAttrComputeCapabilityMinor, device);
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, _ConvertSMVer2ArchName(major, minor), major, minor);
}

// Sets the device; a number below zero says that there is none of this number.
inline int gpuDeviceInit(int devID)
{
    int count = __samples_devices("gpuDeviceInit() ");
    if (devID < 0)
        devID = 0;
    if (devID >= count) {
        fprintf(stderr, "\n>> %d CUDA capable GPU device(s) detected. <<\n", count);
        fprintf(stderr, ">> gpuDeviceInit (-device=%d) is not a valid GPU device. <<\n\n", devID);
        return -devID;
    }
    if (__samples_prohibited(devID)) {
        fprintf(stderr, "Error: device is running in <Compute Mode Prohibited>, no threads can use cudaSetDevice().\n");
        return -1;
    }
    int major = __samples_attribute(cudaDevAttrComputeCapabilityMajor, devID);
    int minor = __samples_attribute(cudaDevAttrComputeCapabilityMinor, devID);
    checkCudaErrors(cudaSetDevice(devID));
    printf("gpuDeviceInit() CUDA Device [%d]: \"%s\n", devID, _ConvertSMVer2ArchName(major, minor));
    return devID;
}
// Device with the most cores times its clock.
inline int gpuGetMaxGflopsDeviceId()
{
    int count = __samples_devices("gpuGetMaxGflopsDeviceId() "), best = -1;
    uint64_t most = 0;
    for (int device = 0; device < count; ++device) {
        if (__samples_prohibited(device))
            continue;
        uint64_t cores = _ConvertSMVer2Cores(__samples_attribute(cudaDevAttrComputeCapabilityMajor, device),
                                             __samples_attribute(cudaDevAttrComputeCapabilityMinor, device));
        uint64_t rate = cores * __samples_attribute(cudaDevAttrMultiProcessorCount, device) *
                        __samples_attribute(cudaDevAttrClockRate, device);
        if (best < 0 || rate > most) {
            best = device;
            most = rate;
        }
    }
    if (best < 0) {
        fprintf(stderr, "gpuGetMaxGflopsDeviceId() CUDA error: all devices have compute mode prohibited.\n");
        exit(EXIT_FAILURE);
    }
    return best;
}
// The device that the flag `device` names, or the fastest.
inline int findCudaDevice(int argc, const char **argv)
{
    if (!checkCmdLineFlag(argc, argv, "device")) {
        int device = gpuGetMaxGflopsDeviceId();
        checkCudaErrors(cudaSetDevice(device));
        __samples_greet(device);
        return device;
    }
    int device = getCmdLineArgumentInt(argc, argv, "device=");
    if (device < 0) {
        printf("Invalid command line parameter\n ");
        exit(EXIT_FAILURE);
    }
    device = gpuDeviceInit(device);
    if (device < 0) {
        printf("exiting...\n");
        exit(EXIT_FAILURE);
    }
    return device;
}
inline int findIntegratedGPU()
{
    int count = __samples_devices("");
    for (int device = 0; device < count; ++device)
        if (__samples_attribute(cudaDevAttrIntegrated, device) && !__samples_prohibited(device)) {
            checkCudaErrors(cudaSetDevice(device));
            __samples_greet(device);
            return device;
        }
    fprintf(stderr, "CUDA error: No GLES-CUDA Interop capable GPU found.\n");
    exit(EXIT_FAILURE);
}
inline bool checkCudaCapabilities(int major_version, int minor_version)
{
    int device = 0;
    checkCudaErrors(cudaGetDevice(&device));
    int major = __samples_attribute(cudaDevAttrComputeCapabilityMajor, device);
    int minor = __samples_attribute(cudaDevAttrComputeCapabilityMinor, device);
    if (major < major_version || (major == major_version && minor < minor_version)) {
        printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n", major_version, minor_version);
        return false;
    }
    printf("  Device %d: <%16s >, Compute SM %d.%d detected\n", device, _ConvertSMVer2ArchName(major, minor), major, minor);
    return true;
}
#endif
