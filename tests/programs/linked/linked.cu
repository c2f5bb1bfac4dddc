// Compiled as one of several modules (-rdc=true): external linkage, weak functions, everything of its own here.
struct Big { float a[6]; int n; char tail; };
__device__ int visible_value = 5; extern "C" __device__ __noinline__ int visible(int x) { return x * visible_value; }
__device__ __noinline__ Big made(int n, Big const &from) { Big b = from; for (int k = 0; k < 6; k++) b.a[k] += n * k; b.n = n; return b; }
template <typename T> __device__ __noinline__ T weak(T a, T b) { return a < b ? a : b; }
__device__ __noinline__ float half_of(float x, double y, short s, unsigned char c, bool b, long long l) { return x / 2 + float(y) + s + c + b + l; }
__device__ int (*chosen)(int) = visible;
extern "C" __global__ void kernel(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x; Big b{}; b.a[2] = 1.5f; b.tail = 'q'; b = made(i, b); float s = 0; for (float f : b.a) s += f;
    out[i] = chosen(i) + visible(i + 1); out[n + i] = __float_as_uint(s) + b.n + b.tail; out[2 * n + i] = weak(i, 33) + unsigned(weak(i * 0.5f, 7.25f) * 8); out[3 * n + i] = __float_as_uint(half_of(i, 2.5 * i, -i, i, i & 1, 1ll << 20));
}
