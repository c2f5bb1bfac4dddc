#pragma once
#include <cstdio>
#include <vector>
#include <string>

struct Shape {
    virtual ~Shape();
    virtual double area() const = 0;
    virtual const char *name() const { return "shape"; }
};

class Square : public Shape {
public:
    explicit Square(double side) : side(side) { ++made; }
    double area() const override;
    const char *name() const override;
    static int made;

private:
    double side;
};

struct Problem {
    int code;
    std::string text;
};

inline int &calls()
{
    static int count = 0;
    return ++count, count;
}

inline int shared_level = 3;
const int limit = 4; // each file's own

template <class T> struct Stack {
    void push(T value) { all.push_back(value); }
    T pop();
    std::vector<T> all;
    static int pops;
};
template <class T> int Stack<T>::pops = 0;
extern template struct Stack<long>;

Shape *make(int which, double size);
double total(const std::vector<Shape *> &all);
void fail(int code);
int guarded(void (*what)(int), int code);
extern const int exported;
extern int order[4], ordered;
int note(int value);
namespace tools {
int twice(int value);
int thrice(int value);
}
extern "C" int plain(int value);
