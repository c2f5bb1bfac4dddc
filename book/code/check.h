// What the hosts of this folder do where a call fails: say which and why, and end.
#include <cstdio>

// ANCHOR: check
#define CHECK(call)                                                             \
    do {                                                                        \
        cudaError_t error = (call);                                             \
        if (error != cudaSuccess) {                                             \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
            return 1;                                                           \
        }                                                                       \
    } while (0)
// ANCHOR_END: check
