struct Matrix {
    float *data;
    int width;
    __device__ int size() const { return width * width; }
};

__global__ void clear(Matrix m)
{
    if (threadIdx.x < m.size)
        m.data[threadIdx.x] = 0.0f;
}
// ANCHOR: errors
error: reference to method `size` must be called
 --> method_without_parentheses.cu:9:25
  |
9 |     if (threadIdx.x < m.size)
  |                         ^^^^
  |
help: call it: `size()`
