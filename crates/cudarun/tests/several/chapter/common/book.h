#ifndef __BOOK_H__
#define __BOOK_H__
#include <stdio.h>
#include <stdlib.h>

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

template <typename T> void swap(T &a, T &b)
{
    T t = a;
    a = b;
    b = t;
}
void *big_random_block(int size);
int *big_random_block_int(int size);
#endif // __BOOK_H__
