class Matrix {
    float *data;
    int width;
};

__global__ void clear(Matrix m)
{
    m.data[threadIdx.x] = 0.0f;
}
