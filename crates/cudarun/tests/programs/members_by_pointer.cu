// Pointers to members: data and functions, virtual ones too, through objects, pointers, templates and the library.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

struct Shape {
    int width = 2;
    double scale = 1.5;
    int sides[3] = {7, 8, 9};
    int area() const { return width * width; }
    void resize(int to) { width = to; }
    virtual int corners() { return 4; }
    static int count(int x) { return x; }
    int add(int x, int y) { return width + x + y; }
};
struct Circle : Shape {
    int radius = 5;
    int corners() override { return 0; }
};
struct Tag {
    int id = 3;
    int twice() { return 2 * id; }
};
struct Labelled : Shape, Tag {
};
typedef void (Shape::*Setter)(int);
using Getter = int (Shape::*)() const;
template <class C, class R> R read(C &c, R C::*m) { return c.*m; }
template <class C, class R, class... A> R call(C &c, R (C::*f)(A...), A... a) { return (c.*f)(a...); }
template <class T> struct Signature;
template <class R, class C, class... A> struct Signature<R (C::*)(A...)> {
    static constexpr int arguments = sizeof...(A), constant = 0;
};
template <class R, class C, class... A> struct Signature<R (C::*)(A...) const> {
    static constexpr int arguments = sizeof...(A), constant = 1;
};
struct Operation {
    const char *name;
    int (Shape::*run)(int, int);
};
class Machine {
    void (Machine::*state)() = &Machine::idle;
    void idle() { state = &Machine::busy; }
    void busy() { state = &Machine::idle; }

  public:
    void step() { (this->*state)(); }
    bool is_idle() const { return state == &Machine::idle; }
};

int main()
{
    Shape s, *p = &s;
    int Shape::*width = &Shape::width;
    double Shape::*scale = &Shape::scale;
    int(Shape::*sides)[3] = &Shape::sides;
    s.*width = 5;
    printf("%d %g %d\n", p->*width, s.*scale, (s.*sides)[1]);
    Setter set = &Shape::resize;
    Getter get = &Shape::area;
    (s.*set)(6);
    int (Shape::*corners)() = &Shape::corners;
    Circle c;
    Shape &r = c;
    printf("%d %d %d %d\n", (p->*get)(), (s.*corners)(), (c.*corners)(), (r.*corners)());
    int Circle::*of_circle = width;
    int Labelled::*of_label = &Tag::id;
    int (Labelled::*twice)() = &Tag::twice;
    Labelled l;
    printf("%d %d %d\n", c.*of_circle, l.*of_label, (l.*twice)());
    printf("%d %d\n", read(s, &Shape::width), call(s, &Shape::add, 1, 2));
    width = nullptr;
    printf("%d %d %d %d\n", width == nullptr, scale != nullptr, get == &Shape::area, !set);
    Operation all[] = {{"first", &Shape::add}, {"second", &Shape::add}};
    for (auto &one : all)
        printf("%s %d\n", one.name, (s.*one.run)(1, 1));
    auto area = std::mem_fn(&Shape::area);
    std::function<int(const Shape &)> f = &Shape::area;
    std::function<int(const Shape *)> g = &Shape::width;
    auto bound = std::bind(&Shape::add, &s, std::placeholders::_1, 2);
    printf("%d %d %d %d %d\n", area(s), area(&s), f(s), g(&s), bound(3));
    std::invoke(&Shape::resize, &s, 40);
    printf("%d %d\n", std::invoke(&Shape::area, s), std::invoke(&Shape::width, s));
    std::vector<Shape> shapes(3);
    std::vector<int> widths(3);
    std::transform(shapes.begin(), shapes.end(), widths.begin(), std::mem_fn(&Shape::width));
    printf("%d %zu %zu\n", widths[2], sizeof(width), sizeof(get));
    int (*count)(int) = &Shape::count;
    printf("%d %d %d %d\n", count(5), Signature<decltype(&Shape::add)>::arguments, Signature<Getter>::constant,
           Signature<Setter>::constant);
    Machine m;
    m.step();
    printf("%d", m.is_idle());
    m.step();
    printf("%d\n", m.is_idle());
}
