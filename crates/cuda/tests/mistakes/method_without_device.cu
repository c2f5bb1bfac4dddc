struct Matrix {
    float *data;
    int width;
    float &at(int row, int column) { return data[row * width + column]; }
};

__global__ void clear(Matrix m)
{
    m.at(threadIdx.y, threadIdx.x) = 0.0f;
}
