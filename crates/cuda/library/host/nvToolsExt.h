// Marks of NVIDIA's tools extension: ranges are counted and go nowhere, as without a profiler.
#pragma once
#include <stddef.h>
#include <stdint.h>
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef uint64_t nvtxRangeId_t;
typedef struct __nvtx_domain *nvtxDomainHandle_t;
typedef enum {
    NVTX_COLOR_UNKNOWN = 0,
    NVTX_COLOR_ARGB = 1
} nvtxColorType_t;
typedef enum {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2
} nvtxMessageType_t;
typedef enum {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3
} nvtxPayloadType_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
inline int *__nvtx_depth(void)
{
    static int depth = 0;
    return &depth;
}
inline uint64_t *__nvtx_last(void)
{
    static uint64_t last = 0;
    return &last;
}
inline int nvtxRangePushA(const char *)
{
    return (*__nvtx_depth())++;
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t *)
{
    return (*__nvtx_depth())++;
}
inline int nvtxRangePop(void)
{
    return *__nvtx_depth() > 0 ? --*__nvtx_depth() : -1;
}
inline nvtxRangeId_t nvtxRangeStartA(const char *)
{
    return ++*__nvtx_last();
}
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *)
{
    return ++*__nvtx_last();
}
inline void nvtxRangeEnd(nvtxRangeId_t)
{
}
inline void nvtxMarkA(const char *)
{
}
inline void nvtxMarkEx(const nvtxEventAttributes_t *)
{
}
inline void nvtxNameOsThreadA(uint32_t, const char *)
{
}
inline nvtxDomainHandle_t nvtxDomainCreateA(const char *)
{
    return 0;
}
inline void nvtxDomainDestroy(nvtxDomainHandle_t)
{
}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *)
{
    return (*__nvtx_depth())++;
}
inline int nvtxDomainRangePop(nvtxDomainHandle_t)
{
    return nvtxRangePop();
}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
