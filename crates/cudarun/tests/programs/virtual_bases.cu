// Virtual bases: one Animal in a Bat, whichever way to it. g++ prints the same.
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>
struct Animal {
    std::string name;
    int legs = 4;
    Animal() : name("none") { std::printf("Animal()\n"); }
    explicit Animal(const std::string &n) : name(n) { std::printf("Animal(%s)\n", n.c_str()); }
    Animal(const Animal &o) : name(o.name + "'"), legs(o.legs) { std::printf("Animal(copy of %s)\n", o.name.c_str()); }
    virtual ~Animal() { std::printf("~Animal %s\n", name.c_str()); }
    virtual std::string sound() const { return "..."; }
    virtual int speed() const { return 1; }
};
struct Mammal : virtual Animal {
    int milk = legs * 10;
    Mammal() : Animal("mammal") { std::printf("Mammal() of %s, %s\n", name.c_str(), sound().c_str()); }
    explicit Mammal(int m) : Animal("mammal"), milk(m) { std::printf("Mammal(%d) of %s\n", m, name.c_str()); }
    ~Mammal() override { std::printf("~Mammal %s %s\n", name.c_str(), sound().c_str()); }
    std::string sound() const override { return "milk"; }
};
struct Winged : public virtual Animal {
    double span = 1.5;
    Winged() { std::printf("Winged() of %s, %s\n", name.c_str(), sound().c_str()); }
    ~Winged() { std::printf("~Winged %s %s\n", name.c_str(), sound().c_str()); }
    int speed() const override { return 7; }
    virtual void flap() { std::printf("%s flaps %.1f\n", name.c_str(), span); }
};
struct Bat : Mammal, Winged {
    char tag = 'b';
    Bat() : Animal("bat"), Mammal(5) { legs = 2; std::printf("Bat() %s %d\n", sound().c_str(), speed()); }
    explicit Bat(const char *n) : Bat() { name = n; std::printf("Bat(%s)\n", n); }
    ~Bat() { std::printf("~Bat %s\n", name.c_str()); }
    std::string sound() const override { return "squeak"; }
    void flap() override { std::printf("bat "); Winged::flap(); }
};
struct Vampire final : Bat {
    Vampire() : Animal("vampire"), Bat("ignored") { std::printf("Vampire %s\n", name.c_str()); }
    int speed() const override { return Bat::speed() * 10; }
};
void meet(Animal &a) { std::cout << a.name << ' ' << a.sound() << ' ' << a.speed() << ' ' << a.legs << '\n'; }
struct V { int v = 1; }; struct A1 : virtual V { int a = v + 1; }; struct B1 : virtual V { int b = 3; };
struct C1 : A1, B1 { int c = a + b + v; };
struct D1 : C1, virtual V { int d = 5; };
struct Shape { virtual double area() const = 0; virtual ~Shape() = default; };
struct Named { virtual const char *title() const { return "named"; } };
struct Base1 : virtual Shape { double area() const override { return 2; } };
struct Base2 : virtual Shape, Named {};
struct Both : Base2, Base1 { const char *title() const override { return "both"; } };
struct W { int w; W(int x = 9) : w(x) { std::printf("W%d ", w); } ~W() { std::printf("~W%d ", w); } };
struct X : virtual W { X() : W(1) { std::printf("X "); } ~X() { std::printf("~X "); } };
struct Y : virtual X { Y() : W(2) { std::printf("Y "); } ~Y() { std::printf("~Y "); } };
struct Z : Y, virtual W { Z() : W(3) { std::printf("Z\n"); } ~Z() { std::printf("~Z "); } };
struct Err : virtual std::exception { const char *what() const noexcept override { return "Err"; } };
struct IOErr : virtual Err {}; struct NetErr : virtual Err { int code = 5; }; struct NetIOErr : IOErr, NetErr { const char *what() const noexcept override { return "NetIO"; } };
struct Throws : virtual W { Throws() : W(8) { throw 1; } };
int main()
{
    std::printf("%zu %zu %zu %zu\n", sizeof(V), sizeof(A1), sizeof(C1), sizeof(D1));
    std::printf("%zu %zu %zu %zu %zu\n", sizeof(Shape), sizeof(Base1), sizeof(Base2), sizeof(Both), sizeof(Z));
    std::printf("%zu %zu %zu %zu\n", sizeof(Mammal) - sizeof(Animal), sizeof(Winged) - sizeof(Animal), sizeof(Bat) - sizeof(Animal), sizeof(Vampire) - sizeof(Animal));
    {
        Bat b;
        meet(b);
        Mammal &m = b; Winged *w = &b; Animal *a = &b;
        m.name = "shared"; std::cout << w->name << a->name << b.name << '\n';
        std::cout << (static_cast<Animal *>(&m) == a) << (static_cast<Animal *>(w) == a) << (dynamic_cast<Bat *>(a) == &b) << (dynamic_cast<Winged *>(a) == w) << (dynamic_cast<Mammal *>(w) == &m) << (dynamic_cast<void *>(a) == &b) << (dynamic_cast<Vampire *>(a) == nullptr) << '\n';
        w->flap(); std::cout << m.milk << ' ' << b.milk << ' ' << typeid(*a).name() << ' ' << typeid(*w).name() << '\n';
        Animal sliced = b; meet(sliced);
        Bat copy = b; copy.name = "copy"; meet(copy); meet(b); copy = b; meet(copy);
    }
    std::puts("--");
    { std::unique_ptr<Animal> p = std::make_unique<Vampire>(); meet(*p); }
    std::puts("--");
    { Mammal m; meet(m); Winged w; meet(w); w.flap(); }
    C1 c; D1 d; c.v = 10; std::printf("%d %d %d %d %d %d\n", c.a, c.b, c.c, c.A1::v, static_cast<V &>(c).v, d.c + d.d);
    V *nv = static_cast<C1 *>(nullptr); std::printf("%d\n", nv == nullptr);
    Both both; Shape *s = &both; Named *n = &both; std::cout << s->area() << n->title() << dynamic_cast<Named *>(s)->title() << '\n';
    { Z z; X &x = z; std::printf("%d %d\n", z.w, x.w); } std::puts("");
    { Y y; std::puts(""); } std::puts("");
    try { throw NetIOErr(); } catch (const Err &e) { std::cout << e.what() << '\n'; }
    try { throw NetIOErr(); } catch (const std::exception &e) { std::cout << e.what() << dynamic_cast<const NetErr &>(e).code << '\n'; }
    try { Throws t; } catch (int) { std::puts("thrown"); }
    std::vector<std::shared_ptr<Animal>> zoo{std::make_shared<Bat>("zoo"), std::make_shared<Mammal>(3)};
    for (auto &z : zoo) { meet(*z); if (auto w = std::dynamic_pointer_cast<Winged>(z)) w->flap(); }
    Bat arr[2]; for (auto &x : arr) meet(x);
    Bat *heap = new Bat[2]; delete[] heap;
    Animal *q = new Bat("deleted"); delete q;
}
