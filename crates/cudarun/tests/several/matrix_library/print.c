#include <stdio.h>
#include <stdlib.h>

void print_row(const float *row, size_t columns)
{
    char *separators = malloc(columns + 1);
    for (size_t i = 0; i < columns; i++)
        separators[i] = i + 1 < columns ? ' ' : '\n';
    for (size_t i = 0; i < columns; i++)
        printf("%g%c", row[i], separators[i]);
    free(separators);
}
