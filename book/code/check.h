// How the host programs of this folder treat a failed call: they report it with the reason, and end.
#include <cstdio>

// ANCHOR: check
#define CHECK(call) \
    do { \
        cudaError_t error = (call); \
        if (error != cudaSuccess) { \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            return 1; \
        } \
    } while (0)
// ANCHOR_END: check
