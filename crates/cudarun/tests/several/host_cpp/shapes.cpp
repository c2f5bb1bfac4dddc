#include "shapes.h"

int second = note(2);

Shape::~Shape() { printf("gone\n"); }
int Square::made = 0;
double Square::area() const { return side * side; }
const char *Square::name() const { return "square"; }

namespace {
int hidden = 2;
struct Local {
    int value() const { return 20; }
};
struct Circle : Shape {
    explicit Circle(double radius) : radius(radius) {}
    double area() const override { return 3 * radius * radius; }
    double radius;
};
}
static int helper() { return hidden + Local().value(); }
int second_file_helper() { return helper(); }

Shape *make(int which, double size)
{
    if (which == 0)
        return new Square(size);
    return new Circle(size);
}

double total(const std::vector<Shape *> &all)
{
    double sum = 0;
    for (const Shape *one : all)
        sum += one->area();
    return sum;
}
