// What objects are: dynamic_cast and inherited constructors. What is expected is what g++ 12 prints.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>
namespace cls_dyncast
{
struct B {
    virtual ~B() {}
};
struct D : B {
    int k = 7;
};
struct E : B {};
struct I1 {
    virtual ~I1() {}
};
struct I2 {
    virtual ~I2() {}
};
struct F : I1, I2 {};
void run()
{
    B *b = new D;
    D *d = dynamic_cast<D *>(b);
    std::cout << (d != nullptr) << d->k;
    E *e = dynamic_cast<E *>(b);
    std::cout << (e == nullptr);
    try {
        dynamic_cast<E &>(*b);
    } catch (std::bad_cast &x) {
        std::cout << "bad";
    }
    if (auto *q = dynamic_cast<D *>(b))
        std::cout << q->k;
    std::shared_ptr<B> sp = std::make_shared<D>();
    auto sd = std::dynamic_pointer_cast<D>(sp);
    std::cout << (sd ? 1 : 0);
    delete b;
    B *n = nullptr;
    std::cout << (dynamic_cast<D *>(n) == nullptr);
    F f;
    I1 *i1 = &f;
    I2 *i2 = dynamic_cast<I2 *>(i1);
    std::cout << (i2 != nullptr) << (dynamic_cast<void *>(i2) == &f);
    std::cout << std::endl;
}
} // namespace cls_dyncast
namespace cls_inherit
{
struct Animal {
    std::string n;
    Animal(std::string s) : n(std::move(s)) { std::cout << "+A"; }
    virtual ~Animal() { std::cout << "-A" << n; }
    virtual void speak() const = 0;
};
struct Dog : Animal {
    using Animal::Animal;
    ~Dog() { std::cout << "-D"; }
    void speak() const override { std::cout << n << " woof "; }
};
struct Cat final : Animal {
    Cat(std::string s) : Animal(s) {}
    void speak() const override { std::cout << n << " meow "; }
};
void run()
{
    Dog d("rex");
    Animal &a = d;
    a.speak();
    std::unique_ptr<Animal> p = std::make_unique<Cat>("tom");
    p->speak();
    std::vector<std::shared_ptr<Animal>> v{std::make_shared<Dog>("a"), std::make_shared<Cat>("b")};
    for (auto &x : v)
        x->speak();
    Animal *q = new Dog("del");
    delete q;
    std::cout << std::endl;
}
} // namespace cls_inherit
namespace cls_abstract_list
{
class Shape
{
  public:
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
    virtual ~Shape() = default;
};
class Circle : public Shape
{
    double r;

  public:
    Circle(double r) : r(r) {}
    double area() const override { return 3 * r * r; }
    std::string name() const override { return "circle"; }
};
class Rect : public Shape
{
    double a, b;

  public:
    Rect(double a, double b) : a(a), b(b) {}
    double area() const override { return a * b; }
    std::string name() const override { return "rect:" + Shape::name(); }
};
void run()
{
    std::vector<std::unique_ptr<Shape>> v;
    v.push_back(std::make_unique<Circle>(1));
    v.emplace_back(new Rect(2, 3));
    double t = 0;
    for (const auto &s : v)
        t += s->area();
    std::cout << t;
    std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return a->area() > b->area(); });
    std::cout << v[0]->name();
    std::cout << std::endl;
}
} // namespace cls_abstract_list
int main()
{
    cls_dyncast::run();
    cls_inherit::run();
    cls_abstract_list::run();
}
