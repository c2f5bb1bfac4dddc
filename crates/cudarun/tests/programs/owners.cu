// Objects that own others: moved, sorted, reallocated. What is expected is what g++ 12 prints.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>
namespace cls_copy_move
{
struct R {
    std::string n;
    R(const char *s) : n(s) { std::cout << "c"; }
    R(const R &o) : n(o.n) { std::cout << "C"; }
    R(R &&o) noexcept : n(std::move(o.n)) { std::cout << "M"; }
    R &operator=(const R &o)
    {
        n = o.n;
        std::cout << "=";
        return *this;
    }
    R &operator=(R &&o) noexcept
    {
        n = std::move(o.n);
        std::cout << "m";
        return *this;
    }
    ~R() { std::cout << "~"; }
};
R make()
{
    R r("made");
    return r;
}
void f(R r) { std::cout << "f"; }
void g(R &&r) { std::cout << "g"; }
void run()
{
    R a("a");
    R b = a;
    R c = std::move(a);
    b = c;
    c = std::move(b);
    R d = make();
    std::vector<R> v;
    v.push_back(R("x"));
    v.push_back(std::move(d));
    v.emplace_back("y");
    std::swap(v[0], v[1]);
    f(c);
    g(R("tmp"));
    std::cout << std::endl;
}
} // namespace cls_copy_move
namespace mem_smart
{
struct T {
    int v;
    T(int v) : v(v) {}
    ~T() { std::cout << "~" << v; }
};
void run()
{
    auto p = std::make_shared<T>(1);
    std::cout << p.use_count();
    {
        auto q = p;
        std::cout << p.use_count();
    }
    std::weak_ptr<T> w = p;
    std::cout << w.expired();
    if (auto l = w.lock())
        std::cout << l->v;
    p.reset();
    std::cout << w.expired();
    std::unique_ptr<T[]> a(new T[2]{1, 2});
    std::cout << a[1].v;
    std::unique_ptr<T, void (*)(T *)> d(new T(9), [](T *t) {
        std::cout << "del";
        delete t;
    });
    auto raw = d.get();
    std::cout << raw->v;
    std::unique_ptr<FILE, int (*)(FILE *)> f(nullptr, fclose);
    std::cout << (f == nullptr);
    auto u = std::make_unique<int[]>(3);
    std::cout << u[2];
    struct Del {
        void operator()(T *t) const
        {
            std::cout << "Del";
            delete t;
        }
    };
    std::unique_ptr<T, Del> dd(new T(3));
    auto m = std::move(dd);
    std::cout << (dd ? 1 : 0) << m->v;
    std::shared_ptr<T> sd(new T(4), [](T *t) {
        std::cout << "sd";
        delete t;
    });
    std::cout << std::endl;
}
} // namespace mem_smart
namespace t_class
{
template <class T, int R = 2, int C = R> class Matrix
{
    T d[R * C] = {};

  public:
    static constexpr int rows = R;
    T &operator()(int i, int j) { return d[i * C + j]; }
    const T &operator()(int i, int j) const { return d[i * C + j]; }
    Matrix<T, C, R> tr() const
    {
        Matrix<T, C, R> m;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                m(j, i) = (*this)(i, j);
        return m;
    }
    void fill(T v)
    {
        for (auto &x : d)
            x = v;
    }
    template <int K> Matrix<T, R, K> operator*(const Matrix<T, C, K> &o) const;
};
template <class T, int R, int C> template <int K> Matrix<T, R, K> Matrix<T, R, C>::operator*(const Matrix<T, C, K> &o) const
{
    Matrix<T, R, K> r;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < K; j++) {
            T s = 0;
            for (int k = 0; k < C; k++)
                s += (*this)(i, k) * o(k, j);
            r(i, j) = s;
        }
    return r;
}
template <class T> class LL
{
    struct N {
        T v;
        std::unique_ptr<N> n;
    };
    std::unique_ptr<N> h;
    N *t = nullptr;

  public:
    void add(T v)
    {
        auto n = std::make_unique<N>();
        n->v = std::move(v);
        N *r = n.get();
        if (t)
            t->n = std::move(n);
        else
            h = std::move(n);
        t = r;
    }
    struct It {
        N *p;
        T &operator*() { return p->v; }
        It &operator++()
        {
            p = p->n.get();
            return *this;
        }
        bool operator!=(const It &o) const { return p != o.p; }
    };
    It begin() { return {h.get()}; }
    It end() { return {nullptr}; }
};
void run()
{
    Matrix<double, 2, 3> m;
    m(1, 2) = 5;
    auto t = m.tr();
    std::cout << t(2, 1) << Matrix<int>::rows;
    Matrix<int, 2, 2> a, b;
    a.fill(2);
    b.fill(3);
    auto c = a * b;
    std::cout << c(0, 0);
    LL<std::string> l;
    l.add("a");
    l.add("b");
    for (auto &s : l)
        std::cout << s;
    std::cout << std::endl;
}
} // namespace t_class
int main()
{
    cls_copy_move::run();
    mem_smart::run();
    t_class::run();
}
