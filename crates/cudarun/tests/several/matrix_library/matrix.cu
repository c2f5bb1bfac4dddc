#include "matrix.h"
#include "kernels.cuh"
#include <cstring>

// The same name as in kernels.cu, and another kernel.
static __global__ void clear(float *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] = 1;
}

long Matrix::count = 0;

Matrix::Matrix(size_t rows, size_t columns) : rows(rows), columns(columns), data(new float[rows * columns])
{
    ++count;
    DeviceArray<float> ones(rows * columns);
    clear<<<1, rows * columns>>>(ones.data, (int)(rows * columns));
    scale<<<1, rows * columns>>>(ones.data, 0.5f, (int)(rows * columns));
    CHECK(cudaGetLastError());
    ones.get(data);
}

Matrix::Matrix(const Matrix &other) : Matrix(other.rows, other.columns)
{
    memcpy(data, other.data, rows * columns * sizeof(float));
}

Matrix::~Matrix()
{
    --count;
    delete[] data;
}

Matrix &Matrix::operator=(const Matrix &other)
{
    memcpy(data, other.data, rows * columns * sizeof(float));
    return *this;
}

Matrix Matrix::operator*(const Matrix &other) const
{
    DeviceArray<float> a(rows * columns), b(other.rows * other.columns), c(rows * other.columns);
    a.put(data);
    b.put(other.data);
    launch_multiply(a.data, b.data, c.data, (int)rows, (int)columns, (int)other.columns);
    Matrix result(rows, other.columns);
    c.get(result.data);
    return result;
}

long Matrix::alive() { return count; }
