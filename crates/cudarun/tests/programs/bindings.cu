// Structured bindings of tuples, pairs, arrays and structs. What is expected is what g++ 12 prints.
#include <array>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
namespace sb_tuple
{

void run()
{
    auto [a, b, c] = std::make_tuple(1, 2.5, std::string("x"));
    std::cout << a << b << c;
    std::tuple<int, char> t{1, 'q'};
    auto &[x, y] = t;
    x = 7;
    std::cout << std::get<0>(t) << y;
    const auto &[m, n] = t;
    std::cout << m << n;
    for (auto [i, j] : std::vector<std::tuple<int, int>>{{1, 2}, {3, 4}})
        std::cout << i << j;
    std::cout << std::endl;
}
} // namespace sb_tuple
namespace sb_array
{

void run()
{
    int a[3] = {1, 2, 3};
    auto [x, y, z] = a;
    x = 9;
    std::cout << a[0] << y << z;
    auto &[p, q, r] = a;
    p = 5;
    std::cout << a[0];
    std::array<int, 2> b{4, 5};
    auto [u, v] = b;
    std::cout << u << v;
    std::cout << std::endl;
}
} // namespace sb_array
namespace sb_struct
{
struct S {
    int i;
    double d;
};
S f() { return {3, 4.5}; }
void run()
{
    S s{1, 2.5};
    auto [i, d] = s;
    std::cout << i << d;
    auto &[i2, d2] = s;
    i2 = 9;
    std::cout << s.i;
    const auto [c, e] = f();
    std::cout << c << e;
    auto l = [i = i] { return i; };
    std::cout << l();
    std::cout << std::endl;
}
} // namespace sb_struct
namespace sb_capture
{

void run()
{
    auto [a, b] = std::make_pair(1, 2);
    auto f = [a = a, b = b] { return a + b; };
    std::cout << f();
    int s = 0;
    for (auto [k, v] : std::map<int, int>{{1, 2}, {3, 4}})
        s += k * v;
    std::cout << s;
    std::cout << std::endl;
}
} // namespace sb_capture
int main()
{
    sb_tuple::run();
    sb_array::run();
    sb_struct::run();
    sb_capture::run();
}
