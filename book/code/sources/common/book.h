// For the source's `#include "../common/book.h"`: `HANDLE_ERROR`, a macro around calls of the runtime.
#pragma once
#include <stdio.h>
#include <stdlib.h>

static void HandleError(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(error), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(call) (HandleError(call, __FILE__, __LINE__))
