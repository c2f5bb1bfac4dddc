// Structures and classes that hold pointers: what is copied with them, and who frees what.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>

#define CUDA_CHECK(call) check((call), #call, __FILE__, __LINE__)
inline void check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

struct Matrix {
    int rows, columns;
    float *elements;
};

__global__ void scale(Matrix m, float by)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < m.rows * m.columns)
        m.elements[at] *= by; // 1: out-of-bounds-global
}

__global__ void trace(const Matrix *m, float *sum)
{
    float all = 0;
    for (int row = 0; row < m->rows; row++) // 2: out-of-bounds-global
        all += m->elements[row * m->columns + row]; // 3: out-of-bounds-global
    *sum = all;
}

__global__ void sum_of(float *const *rows, int count, int width, float *sums)
{
    int row = threadIdx.x;
    float all = 0;
    for (int x = 0; x < width; x++)
        all += rows[row][x]; // 7: out-of-bounds-global
    sums[row] = all;
}

template <class T> class DeviceArray {
    T *data_ = nullptr;
    size_t size_ = 0;

  public:
    explicit DeviceArray(size_t size) : size_(size) { CUDA_CHECK(cudaMalloc(&data_, size * sizeof(T))); }
    ~DeviceArray() { cudaFree(data_); } // 4: double-free 5: double-free
#if WRONG == 5
    DeviceArray(DeviceArray &&other) : data_(other.data_), size_(other.size_) {}
#else
    DeviceArray(DeviceArray &&other) : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
#endif
#if WRONG == 4
    DeviceArray(const DeviceArray &) = default;
#endif
    __host__ __device__ T *data() const { return data_; }
    size_t bytes() const { return size_ * sizeof(T); }
};

#if WRONG == 4
__global__ void fill(DeviceArray<float> array, float with) { array.data()[threadIdx.x] = with; }
#else
__global__ void fill(float *array, float with) { array[threadIdx.x] = with; }
#endif

Matrix upload(const Matrix &host)
{
    Matrix device = host;
    size_t bytes = host.rows * host.columns * sizeof(float);
#if WRONG != 1
    CUDA_CHECK(cudaMalloc(&device.elements, bytes)); // 12: leak
    CUDA_CHECK(cudaMemcpy(device.elements, host.elements, bytes, cudaMemcpyHostToDevice));
#endif
    return device;
}

int main()
{
    std::vector<float> values(16 * 16, 1.f);
    Matrix host = {16, 16, values.data()};
    Matrix device = upload(host);
    scale<<<1, 256>>>(device, 2.f); // 1: host-pointer-on-device
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());

    Matrix *shared;
    float *sum, result = 0;
    CUDA_CHECK(cudaMalloc(&sum, sizeof(float)));
    CUDA_CHECK(cudaMalloc(&shared, sizeof(Matrix)));
#if WRONG == 3
    CUDA_CHECK(cudaMemcpy(shared, &host, sizeof(Matrix), cudaMemcpyHostToDevice));
#elif WRONG == 6
    CUDA_CHECK(cudaMalloc(&shared->elements, values.size() * sizeof(float))); // 6: device-pointer-on-host
#else
    CUDA_CHECK(cudaMemcpy(shared, &device, sizeof(Matrix), cudaMemcpyHostToDevice));
#endif
#if WRONG == 2
    trace<<<1, 1>>>(&host, sum); // 2: host-pointer-on-device
#else
    trace<<<1, 1>>>(shared, sum); // 3: host-pointer-on-device
#endif
    CUDA_CHECK(cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost));
    printf("%g\n", result);

    {
        DeviceArray<float> first(64);
#if WRONG == 4
        fill<<<1, 64>>>(first, 3.f);
#elif WRONG == 5
        std::vector<DeviceArray<float>> all;
        all.push_back(std::move(first));
        fill<<<1, 64>>>(all[0].data(), 3.f);
#else
        fill<<<1, 64>>>(first.data(), 3.f);
#endif
        CUDA_CHECK(cudaDeviceSynchronize());
    }

    std::vector<float *> rows(4);
    for (float *&row : rows) {
        CUDA_CHECK(cudaMalloc(&row, 8 * sizeof(float)));
        CUDA_CHECK(cudaMemcpy(row, values.data(), 8 * sizeof(float), cudaMemcpyHostToDevice));
    }
    float **table, *sums;
    CUDA_CHECK(cudaMalloc(&table, rows.size() * sizeof(float *)));
    CUDA_CHECK(cudaMalloc(&sums, rows.size() * sizeof(float)));
#if WRONG == 7
    float *wrong[4];
    for (int row = 0; row < 4; row++)
        wrong[row] = values.data() + 8 * row;
    CUDA_CHECK(cudaMemcpy(table, wrong, sizeof(wrong), cudaMemcpyHostToDevice));
#elif WRONG == 8
    for (int row = 0; row < 4; row++)
        CUDA_CHECK(cudaMalloc(&table[row], 8 * sizeof(float))); // 8: device-pointer-on-host
#else
    CUDA_CHECK(cudaMemcpy(table, rows.data(), rows.size() * sizeof(float *), cudaMemcpyHostToDevice));
#endif
    sum_of<<<1, 4>>>(table, 4, 8, sums); // 7: host-pointer-on-device
    CUDA_CHECK(cudaDeviceSynchronize());
#if WRONG == 9
    for (int row = 0; row < 4; row++)
        CUDA_CHECK(cudaFree(table[row])); // 9: device-pointer-on-host
#else
    for (float *row : rows)
        CUDA_CHECK(cudaFree(row));
#endif
    CUDA_CHECK(cudaFree(table));
    CUDA_CHECK(cudaFree(sums));

    float *raw;
    CUDA_CHECK(cudaMalloc(&raw, 64));
#if WRONG == 10
    std::unique_ptr<float[]> kept(raw); // 10: wrong-free
#else
    auto release = [](float *pointer) { cudaFree(pointer); };
    std::unique_ptr<float[], decltype(release)> kept(raw, release);
#endif
    CUDA_CHECK(cudaMallocHost(&raw, 64)); // 11: leak
#if WRONG == 11
    std::shared_ptr<float> pinned(raw, cudaFree); // 11: wrong-free
#else
    std::shared_ptr<float> pinned(raw, cudaFreeHost);
#endif
    CUDA_CHECK(cudaFree(sum));
    CUDA_CHECK(cudaFree(shared));
#if WRONG != 12
    CUDA_CHECK(cudaFree(device.elements));
#endif
}
