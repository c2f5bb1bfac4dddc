// C++ on the device: virtual calls on objects that a kernel builds in local and in shared memory, variadic templates,
// lambdas passed to kernels of templates, CRTP, constexpr tables, tables of function pointers, member pointers, operators,
// statics, placement new, references, default arguments, and structs returned by value.

struct Shape {
    int tag;
    __device__ Shape(int t) : tag(t) {}
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ Square(float s) : Shape(1), side(s) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
    float radius;
    __device__ Circle(float r) : Shape(2), radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};
struct Prism final : Square {
    float height;
    __device__ Prism(float s, float h) : Square(s), height(h) { tag = 3; }
    __device__ float area() const override { return 2 * Square::area() + 4 * side * height; }
    __device__ int corners() const override { return 2 * Square::corners(); }
};

__device__ __noinline__ float measure(const Shape &s) { return s.area() + 1000 * s.corners() + s.tag; }

__device__ inline void *operator new(size_t, void *at, int) { return at; }
__device__ inline void operator delete(void *, void *, int) {}

extern "C" __global__ void shapes(const float *in, float *out, int n)
{
    __shared__ __align__(8) char room[64][sizeof(Prism)];
    int t = threadIdx.x;
    Shape *s;
    switch (t % 3) {
    case 0: s = new (room[t], 0) Square(in[t]); break;
    case 1: s = new (room[t], 0) Circle(in[t]); break;
    default: s = new (room[t], 0) Prism(in[t], 2.0f); break;
    }
    __syncthreads();
    float mine = 0;
    for (int k = 0; k < 5; k++)
        mine += reinterpret_cast<Shape *>(room[(t + k) % blockDim.x])->area();
    Square local(in[t] + 1);
    Circle round(in[t]);
    const Shape *two[2] = {&local, &round};
    out[2 * t] = mine;
    out[2 * t + 1] = measure(*two[t / 2 & 1]) + measure(*s);
}

template <typename... T> struct Sum;
template <> struct Sum<> {
    static __device__ double of() { return 0; }
};
template <typename First, typename... Rest> struct Sum<First, Rest...> {
    static __device__ double of(First f, Rest... r) { return (double)f * sizeof(First) + Sum<Rest...>::of(r...); }
};
template <typename... T> __device__ double weigh(T... t) { return Sum<T...>::of(t...); }

template <typename Derived> struct Counter {
    int count = 0;
    __device__ Derived &add(int n = 1)
    {
        count += static_cast<Derived *>(this)->scale(n);
        return *static_cast<Derived *>(this);
    }
};
struct Double : Counter<Double> {
    __device__ int scale(int n) const { return 2 * n; }
};
struct Squared : Counter<Squared> {
    int last = 1;
    __device__ int scale(int n) { return last = n * n + last % 10; }
};

struct Rational {
    long long p, q;
    __device__ static long long gcd(long long a, long long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }
    __device__ Rational(long long p = 0, long long q = 1) : p(p), q(q)
    {
        long long g = gcd(p, q);
        if (g > 1) {
            this->p /= g;
            this->q /= g;
        }
    }
    __device__ Rational operator+(const Rational &o) const { return {p * o.q + o.p * q, q * o.q}; }
    __device__ Rational operator*(const Rational &o) const { return {p * o.p, q * o.q}; }
    __device__ Rational &operator+=(const Rational &o) { return *this = *this + o; }
    __device__ explicit operator double() const { return (double)p / q; }
};

template <int N> struct Primes {
    int v[N];
    __host__ __device__ constexpr Primes() : v()
    {
        int count = 0;
        for (int n = 2; count < N; n++) {
            bool prime = true;
            for (int k = 0; k < count; k++)
                prime = prime && n % v[k];
            if (prime)
                v[count++] = n;
        }
    }
};
__constant__ Primes<20> primes;

template <typename F, typename G> struct Composed {
    F f;
    G g;
    template <typename T> __device__ auto operator()(T x) const { return g(f(x)); }
};
template <typename F, typename G> __device__ Composed<F, G> compose(F f, G g) { return {f, g}; }

extern "C" __global__ void templates(double *out)
{
    int t = threadIdx.x;
    Double d;
    Squared s;
    d.add().add(t).add(t / 2);
    s.add(t).add(3).add();
    Rational r(1, 2);
    for (int k = 1; k < 5; k++)
        r += Rational(t % 7 + 1, k + 1) * Rational(k, t % 5 + 2);
    auto h = compose([t](int x) { return x * 3 + t; }, [](int x) { return x * 0.5; });
    double *mine = out + 6 * t;
    mine[0] = weigh(t, (short)3, 2.5, 'a', t > 5, 1.5f);
    mine[1] = d.count + 1000 * s.count;
    mine[2] = (double)r;
    mine[3] = h(t * t);
    mine[4] = primes.v[t % 20] + Primes<8>().v[t & 7] * 100;
    mine[5] = r.p % 100003 + s.last;
}

typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ __noinline__ int over(int a, int b) { return b ? a / b : -1; }
__device__ Operation operations[4] = {plus, minus, times, over};

struct Machine {
    int acc;
    __device__ void up(int v) { acc += v; }
    __device__ void mix(int v) { acc ^= v << 3; }
};

struct Big {
    int v[12];
};
__device__ __noinline__ Big made(int from)
{
    Big b;
    for (int k = 0; k < 12; k++)
        b.v[k] = from * k + (k ^ from);
    return b;
}
__device__ __noinline__ int taken(Big b, int &largest)
{
    int sum = 0;
    largest = b.v[0];
    for (int v : b.v) {
        sum += v;
        largest = v > largest ? v : largest;
    }
    return sum;
}
__device__ __noinline__ int recursive(int n, Operation f) { return n < 2 ? n : f(recursive(n - 1, f), recursive(n - 2, f)); }

extern "C" __global__ void pointers(int *out, int by)
{
    int t = threadIdx.x, largest;
    int a = operations[t & 3](t * 5, by), b = operations[(t / 4) & 3](a, t - 9);
    Machine m = {t};
    void (Machine::*step)(int) = t & 1 ? &Machine::up : &Machine::mix;
    for (int k = 0; k < 3; k++)
        (m.*step)(k + by);
    int sum = taken(made(t - by), largest);
    int *mine = out + 6 * t;
    mine[0] = a;
    mine[1] = b;
    mine[2] = m.acc;
    mine[3] = sum;
    mine[4] = largest;
    mine[5] = recursive(t % 9, operations[t & 1]);
}

template <typename F> __global__ void apply(int *out, int n, F f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = f(out[i]);
}
struct Affine {
    int a;
    short b;
    __device__ int operator()(int x) const { return a * x + b; }
};
template __global__ void apply<Affine>(int *, int, Affine);
