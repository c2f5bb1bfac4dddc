// Literals with suffixes of the program's own and of the library's. What is expected is what g++ 12 prints.
#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
namespace udl
{
long operator""_km(unsigned long long v) { return v * 1000; }
double operator"" _deg(long double v) { return (double)v * 2; }
std::size_t operator""_len(const char *s, std::size_t n) { return n; }
std::string operator""_up(const char *s, std::size_t n)
{
    std::string r(s, n);
    for (char &c : r)
        c -= 32;
    return r;
}
int operator""_ch(char c) { return c; }
int operator""_raw(const char *s) { return s[0]; }
void run()
{
    std::cout << 12_km << " " << 1.5_deg << " " << "abc"_len << " " << "xy"_up << " " << 'c'_ch << " ";
    std::cout << std::endl;
}
} // namespace udl
namespace udl_std
{

void run()
{
    using namespace std::literals;
    using namespace std::chrono_literals;
    auto d = 1s + 500ms;
    std::cout << d.count() << " " << (2min).count() << " " << (1h + 30min).count() << " " << (5us).count() << " "
              << (7ns).count();
    auto s = "ab\0c"s;
    std::cout << s.size();
    auto v = "xyz"sv;
    std::cout << v.substr(1) << ("a"s + "b");
    std::this_thread::sleep_for(1ms);
    std::cout << (1.5s).count();
    std::cout << std::endl;
}
} // namespace udl_std
namespace udl_string_lit
{

void run()
{
    using namespace std::string_literals;
    std::string a = "x"s + "y";
    auto f = [](const std::string &s) { return s.size(); };
    std::cout << a << f("hello"s);
    std::vector v{"a"s, "b"s};
    std::cout << v[1];
    std::cout << std::endl;
}
} // namespace udl_string_lit
int main()
{
    udl::run();
    udl_std::run();
    udl_string_lit::run();
}
