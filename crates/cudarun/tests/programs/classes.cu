// Objects of the host: constructors, destructors, virtual functions, templates, containers and exceptions.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
    virtual ~Shape() { std::cout << "end of " << name() << '\n'; }
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
};
struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    ~Square() override { std::cout << "square " << side << '\n'; }
    double area() const override { return side * side; }
    std::string name() const override { return "square"; }
};
struct Circle : Shape {
    double radius;
    explicit Circle(double radius) : radius(radius) {}
    double area() const override { return 3 * radius * radius; }
};

template <typename T> T largest(const std::vector<T> &all) {
    if (all.empty()) throw std::invalid_argument("nothing is largest");
    return *std::max_element(all.begin(), all.end());
}

int main() {
    {
        std::vector<std::unique_ptr<Shape>> shapes;
        shapes.push_back(std::make_unique<Square>(2));
        shapes.push_back(std::make_unique<Circle>(1));
        double total = 0;
        for (const auto &shape : shapes) total += shape->area();
        std::cout << "area " << total << std::endl;
    }
    std::map<std::string, int> counts;
    for (const char *word : {"warp", "block", "warp", "grid", "warp"}) ++counts[word];
    for (const auto &one : counts) std::cout << one.first << ' ' << one.second << '\n';
    std::vector<int> values{3, 1, 2};
    std::sort(values.begin(), values.end(), [](int a, int b) { return a > b; });
    printf("%d %d %d, largest %d\n", values[0], values[1], values[2], largest(values));
    try {
        largest(std::vector<float>());
    } catch (const std::exception &problem) {
        std::cout << "caught: " << problem.what() << '\n';
    }
    return 3;
}
