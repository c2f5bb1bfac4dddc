#include "matrix.h"
#include <cstdio>

extern "C" void print_row(const float *row, size_t columns);

void print(const Matrix &matrix, const char *name)
{
    printf("%s\n", name);
    for (size_t row = 0; row < matrix.rows; row++)
        print_row(matrix.raw() + row * matrix.columns, matrix.columns);
}

int main()
{
    Matrix a(3, 5), b(5, 2);
    print(b, "b");
    for (size_t row = 0; row < a.rows; row++)
        for (size_t column = 0; column < a.columns; column++)
            a(row, column) = (float)(row + column);
    Matrix c = a * b;
    print(c, "a * b");
    Matrix copy = c;
    copy = a * b;
    printf("%ld matrices\n", Matrix::alive());
    return 0;
}
