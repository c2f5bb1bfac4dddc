// Virtual functions and shared pointers: areas of a list of shapes.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct Shape {
    virtual double area() const = 0;
    virtual ~Shape() = default;
};
struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
};
struct Circle : Shape {
    double radius;
    explicit Circle(double radius) : radius(radius) {}
    double area() const override { return 3.0 * radius * radius; }
};

int main(int argc, char **argv)
{
    if (argc == 1) return 0;
    const int times = atoi(argv[1]);
    double sum = 0;
    for (int pass = 0; pass < 10 * times; pass++) {
        std::vector<std::shared_ptr<Shape>> shapes;
        for (int i = 0; i < 30000; i++) {
            if (i % 3) shapes.push_back(std::make_shared<Square>(i % 10));
            else shapes.push_back(std::make_shared<Circle>(i % 7));
        }
        for (int round = 0; round < 10; round++)
            for (const auto &one : shapes) sum += one->area();
    }
    printf("%.0f\n", sum);
}
