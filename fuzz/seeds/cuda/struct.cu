struct Vector {
    float x, y;
    __device__ Vector(float a, float b = 1) : x(a), y(b) {}
    __device__ Vector operator+(const Vector &o) const { return Vector(x + o.x, y + o.y); }
    __device__ float &operator[](int i) { return i ? y : x; }
};
namespace a {
enum class Kind : unsigned char { first, second = 5 };
using Real = float;
constexpr int count = sizeof(Vector) / sizeof(Real);
__constant__ Real table[count] = {1, 2};
}
__global__ void k(Vector *p, int n)
{
    Vector v = p[n] + p[n + 1];
    auto f = [&](int i) { return v[i] * a::table[i & 1]; };
    switch (n) {
    case 0: p[0] = v; break;
    case 1: p[1][0] = f(n); [[fallthrough]];
    default: p[2] = Vector{f(0), 2};
    }
}
