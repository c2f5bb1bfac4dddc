// For the source's `#include "../common/common.h"`: a macro around calls of the runtime. The source writes a semicolon inside its
// parentheses once, so the argument is a statement's beginning and not an operand.
#pragma once
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                     \
    {                                                                                   \
        const cudaError_t error = call;                                                 \
        if (error != cudaSuccess) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                    \
        }                                                                               \
    }
