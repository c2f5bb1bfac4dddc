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
// ANCHOR: errors
error: use of undeclared identifier `data`
 --> member_of_template_base.cu:8:35
  |
8 |     __device__ T first() { return data[0]; }
  |                                   ^^^^
  |
help: it is a member of a base class that depends on a template parameter: write `this->data`
