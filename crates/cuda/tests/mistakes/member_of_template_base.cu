template <typename T>
struct Buffer {
    T *data;
};

template <typename T>
struct Row : Buffer<T> {
    __device__ T first() { return data[0]; }
};

__global__ void run(Row<float> row, float *out)
{
    *out = row.first();
}
