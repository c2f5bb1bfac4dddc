// Put one of the sources' programs in the place of this text, from its first #include to its last brace. The headers that it
// names are the other files.
#include "common/book.h"
#include "common/common.h"
#include "common/cpu_bitmap.h"
#include "cuda_call.h"

int main() {
    float *device;
    CHECK(cudaMalloc(&device, 1024 * sizeof(float)));
    cc(cudaFree(device));
    printf("the headers are there\n");
    return 0;
}
