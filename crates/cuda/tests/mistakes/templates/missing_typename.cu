template <typename T>
struct Accumulator {
    typedef T type;
};

template <>
struct Accumulator<float> {
    typedef double type;
};

template <typename T>
__device__ T sum(const T *data, int n)
{
    Accumulator<T>::type total = 0;
    for (int i = 0; i < n; ++i)
        total += data[i];
    return total;
}

__global__ void run(const float *data, float *out, int n)
{
    *out = sum(data, n);
}
// ANCHOR: errors
error: missing `typename` before dependent type name `Accumulator<T>::type`
  --> missing_typename.cu:14:5
   |
14 |     Accumulator<T>::type total = 0;
   |     ^^^^^^^^^^^^^^^^^^^^
   |
help: write `typename Accumulator<T>::type`
