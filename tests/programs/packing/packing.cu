// Data of odd sizes: codes of varying length packed by a scan and atomics and read back by a table, bit-fields, unions,
// packed structs, base64, UTF-8, Morton and Hilbert curves, and varints.

struct __attribute__((packed)) Odd {
    unsigned char tag;
    int value;
    short half;
    double real;
    char last;
};

struct Fields {
    unsigned a : 3;
    int b : 5;
    unsigned c : 11;
    unsigned long long d : 37;
    int e : 1;
    bool f : 1;
    unsigned char g;
};

union Word {
    float real;
    unsigned bits;
    struct {
        unsigned mantissa : 23, exponent : 8, sign : 1;
    } parts;
    unsigned char bytes[4];
    short halves[2];
};

// A code: symbol s < 8 is s ones and a zero; the rest is eleven bits: eight ones, and three more.
__device__ unsigned code(unsigned char symbol, int &length)
{
    unsigned s = symbol % 16;
    if (s < 8) {
        length = s + 1;
        return (1u << s) - 1;
    }
    length = 11;
    return 255 | (s - 8) << 8;
}

extern "C" __global__ void encode(const unsigned char *symbols, unsigned *stream, int *bits, int n)
{
    __shared__ int ends[256];
    int t = threadIdx.x, length = 0;
    unsigned word = t < n ? code(symbols[t], length) : 0;
    ends[t] = length;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int more = t >= d ? ends[t - d] : 0;
        __syncthreads();
        ends[t] += more;
        __syncthreads();
    }
    int at = ends[t] - length;
    if (length) {
        atomicOr(stream + at / 32, word << at % 32);
        if (at % 32 + length > 32)
            atomicOr(stream + at / 32 + 1, word >> (32 - at % 32));
    }
    if (t == 255)
        *bits = ends[255];
}

extern "C" __global__ void decode(const unsigned *stream, const int *bits, unsigned char *symbols)
{
    unsigned long long window = 0;
    int have = 0, next = 0, used = 0, k = 0;
    while (used < *bits) {
        if (have < 11) {
            window |= (unsigned long long)stream[next++] << have;
            have += 32;
        }
        int ones = __ffs(~(unsigned)window) - 1, length = ones + 1, symbol = ones;
        if (ones >= 8) {
            length = 11;
            symbol = 8 + (window >> 8 & 7);
        }
        symbols[k++] = symbol;
        window >>= length;
        have -= length;
        used += length;
    }
}

extern "C" __global__ void odd_structs(const Odd *in, Odd *out, Fields *fields, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Odd o = in[i];
    Fields f = {};
    f.a = o.tag;
    f.b = o.half;
    f.c = o.value >> 3;
    f.d = (unsigned long long)o.value * o.tag;
    f.e = o.last & 1;
    f.f = o.half > 0;
    f.g = o.tag ^ o.last;
    fields[i] = f;
    fields[i].d += f.b;
    fields[i].c -= f.e;
    o.real = f.d * 0.5 + f.b;
    o.value ^= (int)f.c;
    o.half = (short)(f.a * f.b);
    out[n - 1 - i] = o;
}

extern "C" __global__ void unions(const float *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Word w;
    w.real = in[i];
    unsigned exponent = w.parts.exponent;
    w.parts.exponent = 127;
    w.parts.sign ^= i & 1;
    w.bytes[i % 3] += 17;
    w.halves[1] ^= (short)(i << 2);
    out[i] = w.bits + exponent * 65537u;
}

__device__ char digit(unsigned v) { return v < 26 ? 'A' + v : v < 52 ? 'a' + v - 26 : v < 62 ? '0' + v - 52 : v == 62 ? '+' : '/'; }

extern "C" __global__ void base64(const unsigned char *in, char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, left = n - 3 * i;
    if (left <= 0)
        return;
    unsigned v = in[3 * i] << 16 | (left > 1 ? in[3 * i + 1] << 8 : 0) | (left > 2 ? in[3 * i + 2] : 0);
    *reinterpret_cast<char4 *>(out + 4 * i) = make_char4(digit(v >> 18), digit(v >> 12 & 63), left > 1 ? digit(v >> 6 & 63) : '=', left > 2 ? digit(v & 63) : '=');
}

extern "C" __global__ void texts(const unsigned *points, unsigned char *utf8, int *lengths, unsigned char *varints, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    unsigned p = points[i] >> (i % 4 * 5) & 0x1fffff, k = 0;
    unsigned char *u = utf8 + 4 * i;
    if (p < 0x80)
        u[k++] = p;
    else {
        int more = p < 0x800 ? 1 : p < 0x10000 ? 2 : 3;
        u[k++] = (0xf00 >> more & 0xff) | p >> 6 * more;
        while (more-- > 0)
            u[k++] = 0x80 | (p >> 6 * more & 63);
    }
    long long value = (long long)points[i] * (i - 16);
    unsigned long long zigzag = (unsigned long long)value << 1 ^ value >> 63;
    int size = 0;
    do {
        varints[10 * i + size++] = (zigzag & 127) | (zigzag > 127) << 7;
        zigzag >>= 7;
    } while (zigzag);
    lengths[i] = k * 16 + size;
}

extern "C" __global__ void curves(unsigned *out, int order)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i % 16, y = i / 16, z = 0, d = 0;
    auto spread = [](unsigned v) {
        v = (v | v << 8) & 0x00ff00ff;
        v = (v | v << 4) & 0x0f0f0f0f;
        v = (v | v << 2) & 0x33333333;
        return (v | v << 1) & 0x55555555;
    };
    z = spread(x) | spread(y) << 1;
    for (unsigned s = 1u << (order - 1); s > 0; s >>= 1) {
        unsigned rx = (x & s) > 0, ry = (y & s) > 0;
        d += s * s * (3 * rx ^ ry);
        if (ry == 0) {
            if (rx == 1) {
                x = s - 1 - (x & (s - 1));
                y = s - 1 - (y & (s - 1));
            }
            unsigned swap = x;
            x = y;
            y = swap;
        }
    }
    out[2 * i] = z;
    out[2 * i + 1] = d;
}
