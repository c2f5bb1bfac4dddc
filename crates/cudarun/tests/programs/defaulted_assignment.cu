// Assignments as the class has them by itself, of what is converted first.
#include <chrono>
#include <cstdio>

struct Point {
    int x;
    Point() = default;
    Point(int x) : x(x) {}
    Point(const Point &) = default;
    Point &operator=(const Point &) = default;
};

template <class T> struct Value {
    T of;
    explicit Value(T of) : of(of) {}
    template <class U> Value(const Value<U> &other) : of(other.of) {}
    Value &operator=(const Value &) = default;
};

int main()
{
    Point point(1);
    point = 7;
    Value<float> one(0.5f);
    Value<long> other(3);
    one = other;
    std::chrono::duration<float> seconds(1.5f);
    seconds = std::chrono::milliseconds(250);
    printf("%d %g %g\n", point.x, one.of, seconds.count());
}
