// The host reads device memory as if it were its own.
#include <cstdio>

int main() {
    int *p;
    cudaMalloc(&p, 16 * sizeof(int));
    printf("%d\n", p[0]);
    return 0;
}
