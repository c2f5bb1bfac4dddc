// Indirect calls: tables of functions, with plain and with struct arguments, a function pointer chosen by each lane,
// and virtual functions.

typedef int (*Binary)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int remainder_of(int a, int b) { return b ? a % b : -1; }
__device__ Binary table[4] = {add, subtract, multiply, remainder_of};
__constant__ Binary constant_table[2] = {multiply, subtract};

extern "C" __global__ void by_table(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = table[i & 3](i, i / 3 - 5);
    v += table[(i >> 2) & 3](v, 7);          // the lanes of a warp call different functions
    out[i] = v ^ constant_table[i / 50 % 2](v, 3); // here, whole warps mostly agree
}

struct Point {
    float x, y, z;
    short tag;
};
struct Pair {
    Point a, b;
    long long extra;
};
typedef Pair (*Mapping)(Pair, float);

__device__ __noinline__ Pair swapped(Pair p, float s)
{
    Point kept = p.a;
    p.a = p.b;
    p.b = kept;
    p.extra += (long long)s;
    return p;
}
__device__ __noinline__ Pair scaled(Pair p, float s)
{
    p.a.x *= s;
    p.b.y *= s;
    p.a.tag++;
    p.extra = -p.extra;
    return p;
}
__device__ __noinline__ Pair crossed(Pair p, float s)
{
    Point c = {p.a.y * p.b.z - p.a.z * p.b.y, p.a.z * p.b.x - p.a.x * p.b.z, p.a.x * p.b.y - p.a.y * p.b.x, (short)(p.a.tag * p.b.tag)};
    return {c, {s, s + 1, s + 2, 9}, p.extra << 3};
}

extern "C" __global__ void by_struct(float *out, const int *which, int rounds)
{
    int i = threadIdx.x;
    Mapping choices[3] = {swapped, scaled, crossed};
    Pair p = {{1.0f + i, 2.0f, 3.0f - i, (short)i}, {0.5f, i * 0.25f, -1.0f, (short)(2 * i)}, i * 1000003LL};
    for (int r = 0; r < rounds; r++) {
        Mapping f = choices[(which[i] + r * i) % 3];
        p = f(p, 1.0f + r);
    }
    float *mine = out + 9 * i;
    mine[0] = p.a.x, mine[1] = p.a.y, mine[2] = p.a.z, mine[3] = p.a.tag;
    mine[4] = p.b.x, mine[5] = p.b.y, mine[6] = p.b.z, mine[7] = p.b.tag;
    mine[8] = p.extra;
}

struct Shape {
    int id;
    __device__ Shape(int id) : id(id) {}
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return id; }
    __device__ float described() const { return area() * 10 + corners(); }
};
struct Square : Shape {
    float side;
    __device__ Square(int id, float side) : Shape(id), side(side) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
    float radius;
    __device__ Circle(int id, float radius) : Shape(id), radius(radius) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};
struct Ring : Circle {
    float hole;
    __device__ Ring(int id, float radius, float hole) : Circle(id, radius), hole(hole) {}
    __device__ float area() const override { return Circle::area() - 3.0f * hole * hole; }
    __device__ int corners() const override { return -Circle::corners(); }
};

__device__ __noinline__ float sum_of(const Shape *const *shapes, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += shapes[i]->described();
    return sum;
}

extern "C" __global__ void by_class(float *out)
{
    int t = threadIdx.x;
    Square square(1, 0.5f * t);
    Circle circle(2, t + 1.0f);
    Ring ring(3, t + 2.0f, 1.0f);
    const Shape *all[3] = {&square, &circle, &ring};
    const Shape *mine[4] = {all[t % 3], all[(t + 1) % 3], all[t / 2 % 3], all[0]};
    out[t] = sum_of(mine, 1 + t % 4);
}
