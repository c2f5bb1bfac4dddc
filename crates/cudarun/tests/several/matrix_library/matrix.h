#ifndef MATRIX_H
#define MATRIX_H

#include <cstddef>

// A matrix on the host.
class Matrix {
public:
    Matrix(size_t rows, size_t columns);
    Matrix(const Matrix &other);
    ~Matrix();
    Matrix &operator=(const Matrix &other);
    float &operator()(size_t row, size_t column) { return data[row * columns + column]; }
    float operator()(size_t row, size_t column) const { return data[row * columns + column]; }
    Matrix operator*(const Matrix &other) const;
    float *raw() { return data; }
    const float *raw() const { return data; }
    const size_t rows, columns;
    static long alive();

private:
    float *data;
    static long count;
};

void print(const Matrix &matrix, const char *name);

#endif
