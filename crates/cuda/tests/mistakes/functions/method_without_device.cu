struct Matrix {
    float *data;
    int width;
    float &at(int row, int column) { return data[row * width + column]; }
};

__global__ void clear(Matrix m)
{
    m.at(threadIdx.y, threadIdx.x) = 0.0f;
}
// ANCHOR: errors
error: `Matrix::at` is a host function: a kernel cannot call it
 --> method_without_device.cu:9:5
  |
4 |     float &at(int row, int column) { return data[row * width + column]; }
  |            -- declared here, without `__device__`
...
9 |     m.at(threadIdx.y, threadIdx.x) = 0.0f;
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
help: write `__device__` before the declaration of `Matrix::at`
