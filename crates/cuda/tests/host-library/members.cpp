// Classes with arrays as members, copied and assigned by themselves, and bases whose constructors and destructors are protected.
#include <iostream>
#include <string>
#include <array>
struct N { std::string names[3]; int k = 0; }; struct M { N n[2]; std::string t; };
template <class T> class Counted { inline static int alive = 0; protected: Counted() { ++alive; } Counted(const Counted&) { ++alive; } ~Counted() { --alive; } public: static int count() { return alive; } };
struct A : Counted<A> {}; struct B { private: int x; protected: B(int x = 3) : x(x) {} public: int get() const { return x; } }; struct C : B {}; struct D : B { int y = 4; };
struct L { int id; L(int i = 0) : id(i) {} L(const L& o) : id(o.id + 1) { std::cout << "c" << id << ' '; } L(L&& o) : id(o.id) { std::cout << "m" << id << ' '; } };
struct H { L a[2][2]; };
template <template <class> class... M> struct Host : M<Host<M...>>... {
    void all() { (M<Host>::run(), ...); }
    int id = 7;
};
template <class D> struct Hello {
    void run() { std::cout << "hello " << static_cast<D *>(this)->id << "\n"; }
};
template <class D> struct Bye {
    void run() { std::cout << "bye " << static_cast<D *>(this)->id << "\n"; }
};
int main() { M m; m.n[1].names[2] = "abc"; m.t = "t"; M c = m; m.n[1].names[2] += "x"; std::cout << c.n[1].names[2] << m.n[1].names[2] << c.t << "\n"; M d; d = c; std::cout << d.n[1].names[2] << "\n";
 A a, b = a; std::cout << A::count() << C().get() << D().y << "\n"; H h; h.a[1][1].id = 5; H g = h; std::cout << g.a[1][1].id << "\n"; H k = std::move(h); std::cout << k.a[0][0].id << "\n"; auto f = [h]() { return h.a[1][1].id; }; std::cout << f() << "\n"; std::array<std::string, 2> q{"x", "y"}, r = q; std::cout << r[1] << "\n"; Host<Hello, Bye> host; host.all(); std::cout << std::flush; }
