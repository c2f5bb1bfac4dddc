// Exceptions: what ends on their way, in constructors too, and operands that throw. What is expected is what g++ 12 prints.
#include <array>
#include <bitset>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>
namespace ex_unwind
{
struct T {
    const char *n;
    T(const char *n) : n(n) {}
    ~T() { std::cout << "~" << n; }
};
void g()
{
    T c("c");
    throw 1;
}
struct X {
    T a{"xa"};
    T b;
    X() : b("xb") { throw 7; }
    ~X() { std::cout << "never"; }
};
void run()
{
    try {
        T a("a");
        T b("b");
        g();
    } catch (int) {
        std::cout << "caught";
    }
    try {
        X x;
    } catch (int i) {
        std::cout << "ctor" << i;
    }
    try {
        T *p = new T[2]{"p", "q"};
        delete[] p;
        throw 1;
    } catch (int) {
    }
    std::cout << std::endl;
}
} // namespace ex_unwind
namespace ex_rethrow
{
struct B {
    virtual ~B() {}
};
struct D : B {};
void run()
{
    try {
        try {
            throw std::runtime_error("a");
        } catch (std::exception &e) {
            std::cout << e.what();
            throw;
        }
    } catch (std::runtime_error &e) {
        std::cout << "again" << e.what();
    }
    try {
        try {
            throw D();
        } catch (B &b) {
            throw;
        }
    } catch (D &) {
        std::cout << "D";
    } catch (B &) {
        std::cout << "B";
    }
    try {
        try {
            throw D();
        } catch (B b) {
            throw b;
        }
    } catch (D &) {
        std::cout << "D";
    } catch (B &) {
        std::cout << "B";
    }
    std::cout << std::endl;
}
} // namespace ex_rethrow
namespace cond_throw
{
int f(int d) { return d != 0 ? 10 / d : throw std::invalid_argument("zero"); }
void run()
{
    try {
        std::cout << f(5);
        std::cout << f(0);
    } catch (std::exception &e) {
        std::cout << e.what();
    }
    int x = 1;
    int y = x ? x : throw 1;
    std::cout << y;
    std::string s = x ? std::string("ok") : throw std::runtime_error("n");
    std::cout << s;
    std::cout << std::endl;
}
} // namespace cond_throw
namespace ex_bad_alloc_like
{

void run()
{
    try {
        std::vector<int> v;
        v.at(3);
    } catch (std::out_of_range &e) {
        std::cout << e.what();
    }
    try {
        std::string s("abc");
        s.substr(9);
    } catch (std::out_of_range &e) {
        std::cout << e.what();
    }
    try {
        std::map<int, int> m;
        m.at(1);
    } catch (std::out_of_range &e) {
        std::cout << e.what();
    }
    try {
        std::stoi("x");
    } catch (std::invalid_argument &e) {
        std::cout << e.what();
    }
    try {
        std::stoi("99999999999");
    } catch (std::out_of_range &e) {
        std::cout << e.what();
    }
    try {
        std::optional<int> o;
        o.value();
    } catch (std::bad_optional_access &e) {
        std::cout << e.what();
    }
    try {
        std::variant<int, char> v = 1;
        std::get<char>(v);
    } catch (std::bad_variant_access &e) {
        std::cout << e.what();
    }
    try {
        std::function<void()> f;
        f();
    } catch (std::bad_function_call &e) {
        std::cout << e.what();
    }
    try {
        std::array<int, 2> a{};
        a.at(2);
    } catch (std::out_of_range &e) {
        std::cout << e.what();
    }
    try {
        std::bitset<4> b("12");
    } catch (std::invalid_argument &e) {
        std::cout << e.what();
    }
    std::cout << std::endl;
}
} // namespace ex_bad_alloc_like
int main()
{
    ex_unwind::run();
    ex_rethrow::run();
    cond_throw::run();
    ex_bad_alloc_like::run();
}
