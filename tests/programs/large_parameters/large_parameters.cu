// Parameters by value beyond 4 KB, and arrays of structs whose alignment decides how they are read: 3, 8, 12, 16 and 32 bytes.
struct Table { // 20,000 bytes; written by scripts/programs
    float weights[3000];
    int offsets[2000];
};

template <class T>
struct Span {
    const T *from;
    T *to;
    int count;
};

struct Packed3 {
    unsigned char r, g, b;
};

struct Loose12 {
    float x, y, z;
};

struct __attribute__((aligned(16))) Padded12 {
    float x, y, z;
};

struct __attribute__((aligned(16))) Wide32 {
    double a, b;
    long long c;
    int d[2];
};

// Every thread reads other entries, at places that only the data tell.
extern "C" __global__ void lookup(Table table, const int *keys, float *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int key = keys[i];
        found[i] = table.weights[key] * 0.5f + table.offsets[(key * 7 + i) % 2000];
    }
}

// Only the last bytes of the parameter are used, and all threads read the same ones.
extern "C" __global__ void last(Table table, int *out)
{
    out[threadIdx.x] = table.offsets[1999] + threadIdx.x;
}

template <class T>
__device__ void copy_back(const Span<T> &span)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < span.count; i += step)
        span.to[span.count - 1 - i] = span.from[i];
}

extern "C" __global__ void packed(Span<Packed3> span) { copy_back(span); }
extern "C" __global__ void loose(Span<Loose12> span) { copy_back(span); }
extern "C" __global__ void padded(Span<Padded12> span) { copy_back(span); }
extern "C" __global__ void wide(Span<Wide32> span) { copy_back(span); }
