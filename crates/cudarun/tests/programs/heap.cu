// Every byte of what malloc gives is the program's, wherever its memory has grown to.
#include <stdio.h>
#include <stdlib.h>

static unsigned char *blocks[400];

static size_t bytes_of(int i) { return 1 + (size_t)i * 977 % 70001; }

int main() {
    size_t bytes = 0, sum = 0;
    for (int i = 0; i < 400; i++) {
        blocks[i] = (unsigned char *)malloc(bytes_of(i));
        for (size_t k = 0; k < bytes_of(i); k += 61) blocks[i][k] = (unsigned char)i;
        blocks[i][bytes_of(i) - 1] = (unsigned char)i;
        bytes += bytes_of(i);
    }
    for (int i = 0; i < 400; i++) {
        for (size_t k = 0; k < bytes_of(i); k += 61) sum += blocks[i][k];
        free(blocks[i]);
    }
    printf("%zu bytes, %zu\n", bytes, sum);
}
