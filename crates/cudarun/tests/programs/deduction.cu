// Arguments of class templates that an initialiser says: by constructors, guides and lists. What is expected is what g++ 12
// prints.
#include <vector>
#include <array>
#include <utility>
#include <tuple>
#include <memory>
#include <mutex>
#include <string>
#include <optional>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <deque>
#include <list>
#include <iterator>
#include <type_traits>
template <class T> struct Box {
    T v;
    Box(T v) : v(v) { std::cout << "T "; }
    template <class It> Box(It a, It b)
    {
        v = T();
        for (; a != b; ++a)
            v += *a;
        std::cout << "It ";
    }
};
template <class It> Box(It, It) -> Box<typename std::iterator_traits<It>::value_type>;
Box(const char *) -> Box<std::string>;
template <class A, class B> struct Pair {
    A a;
    B b;
    Pair(const A &a, const B &b) : a(a), b(b) {}
};
template <class T> struct A {
    using value_type = T;
    A(value_type) { std::cout << "#1 "; }
    A(const A &) { std::cout << "#2 "; }
    A(T, T, int) { std::cout << "#3 "; }
    template <class U> A(int, T, U) { std::cout << "#4 "; }
};
template <class F> struct Guard {
    F f;
    explicit Guard(F f) : f(f) {}
    ~Guard() { f(); }
};
template <class T> struct Agg {
    T x;
    int n;
};
template <class T> Agg(T, int) -> Agg<T>;
template <class... Fs> struct overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs> overloaded(Fs...) -> overloaded<Fs...>;
template <class T, int N> struct Arr {
    T d[N];
    constexpr int size() const { return N; }
};
template <class T, class... U> Arr(T, U...) -> Arr<T, 1 + sizeof...(U)>;
template <class T = double> struct Def {
    T v;
    Def() : v(1.5) {}
    Def(T v) : v(v) {}
};
template <class T> struct L {
    L(std::initializer_list<T> l) { std::cout << "L" << l.size() << " "; }
    L(T) { std::cout << "one "; }
};
template <class T> void is(const char *n) { std::cout << n << ' ' << std::is_same_v<T, int> << '\n'; }
template <class T> struct Ref {
    const T &r;
    Ref(const T &r) : r(r) {}
};
template <class T> Ref(T) -> Ref<T>;
int main()
{
    int arr[] = {1, 2, 3, 4};
    Box b1(5);
    Box b2(arr, arr + 4);
    Box b3("hello");
    std::cout << b1.v << b2.v << b3.v << b3.v.size() << '\n';
    Box b4{2.5};
    Box b5 = b4;
    Box b6(b4);
    std::cout << b5.v << b6.v << '\n';
    Pair p(1, 2.5);
    Pair q(3, std::string("y"));
    std::cout << sizeof(p) << q.b << '\n';
    A x(1, 2, 3);
    A y(7);
    A z(y);
    A w{1.5, 2.5, 3};
    std::cout << '\n';
    {
        int k = 3;
        Guard g([&] { std::cout << "bye " << k << '\n'; });
        Guard h{[] { std::cout << "h\n"; }};
    }
    Agg ag{2.5, 3};
    std::cout << ag.x << ag.n << '\n';
    overloaded ov{[](int) { std::cout << "int\n"; }, [](double) { std::cout << "double\n"; }};
    ov(1);
    ov(2.0);
    Arr ar{1, 2, 3};
    std::cout << ar.size() << ar.d[2] << '\n';
    Def d1;
    Def d2(3);
    Def d3{};
    std::cout << d1.v << d2.v << d3.v << sizeof(d2) << '\n';
    L l1{1, 2, 3};
    L l2(4);
    L l3 = {1.5};
    std::cout << '\n';
    std::vector v{1, 2, 3};
    std::vector v2(v.begin(), v.end());
    std::vector v3(3, 2.5);
    std::vector v4{v};
    std::vector v5{v, v};
    std::vector v6 = v;
    std::cout << v.size() << v2.size() << v3.size() << v3[0] << v4.size() << v5.size() << v5[0].size() << v6.size() << '\n';
    std::pair pp(1, 2.5);
    std::pair pc("a", 'c');
    std::tuple t(1, 'c', 2.5);
    std::array aa{1, 2, 3};
    std::cout << pp.second << pc.first << std::get<2>(t) << aa.size() << '\n';
    std::tuple t2{pp};
    std::cout << std::is_same_v<decltype(t2), std::tuple<std::pair<int, double>>> << '\n';
    std::mutex m;
    std::lock_guard lk(m);
    std::optional o(5);
    std::optional oo{o};
    std::cout << *o << *oo << '\n';
    std::function f = [](int a, double b) { return a + b; };
    std::cout << f(1, 2.5) << '\n';
    std::set s{3, 1, 2};
    std::map mp{std::pair{1, 2.5}, std::pair{0, 1.5}};
    std::deque dq{1, 2};
    std::list li{1, 2, 3};
    for (int i : s)
        std::cout << i;
    for (auto &[k, v] : mp)
        std::cout << k << v;
    std::cout << dq.size() << li.size() << '\n';
    std::set s2(v.begin(), v.end());
    std::map m3(mp.begin(), mp.end());
    std::cout << s2.size() << m3.size() << '\n';
    auto *nb = new Box(7);
    std::cout << nb->v << '\n';
    delete nb;
    auto u = std::make_unique<int>(3);
    std::shared_ptr sp(std::move(u));
    std::cout << *sp << '\n';
    std::unique_lock ul(m, std::defer_lock);
    std::reverse_iterator ri(v.end());
    std::cout << *ri << '\n';
    is<decltype(Box<int>(1).v)>("box");
    is<decltype(std::vector{1.5}[0])>("v");
    const std::vector cv{1, 2};
    static std::vector sv{1};
    std::cout << cv.size() << sv.size() << '\n';
    std::string str = "abc";
    std::vector cs(str.begin(), str.end());
    std::cout << cs[1] << '\n';
    Ref r(5);
    std::cout << sizeof(r) << '\n';
    std::plus pl;
    std::cout << pl(1, 2) << '\n';
    std::less<> ls;
    std::cout << ls(1, 2) << '\n';
}
