// For the source's `#include "cuda_call.h"`: `cc`, a macro around calls of the runtime.
#pragma once
#include <cstdio>
#include <cstdlib>

#define cc(call)                                                                        \
    do {                                                                                \
        cudaError_t error = (call);                                                     \
        if (error != cudaSuccess) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)
