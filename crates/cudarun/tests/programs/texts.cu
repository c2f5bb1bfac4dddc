// Texts written to streams of strings, and read from them. What is expected is what g++ 12 prints.
#include <algorithm>
#include <cctype>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
namespace io_sstream
{

void run()
{
    std::istringstream is("1 2.5 word 7");
    int i;
    double d;
    std::string s;
    is >> i >> d >> s;
    std::cout << i << d << s;
    int k;
    is >> k;
    std::cout << k << is.eof();
    std::stringstream ss;
    ss << "a,b,c";
    std::string t;
    while (std::getline(ss, t, ','))
        std::cout << "[" << t << "]";
    std::ostringstream o;
    o << std::setw(4) << 1 << std::hex << 15;
    std::cout << o.str();
    o.str("");
    o << "z";
    std::cout << o.str();
    std::stringstream x("5 x");
    int q = 0;
    x >> q >> q;
    std::cout << q << x.fail();
    std::cout << std::stoi("12abc") << std::stod("1.5e2") << std::to_string(3.5) << std::stoul("ff", nullptr, 16);
    size_t pos;
    std::stoi("42xyz", &pos);
    std::cout << pos;
    std::cout << std::endl;
}
} // namespace io_sstream
namespace s_split
{
std::vector<std::string> split(const std::string &s, char d)
{
    std::vector<std::string> v;
    std::string t;
    std::istringstream is(s);
    while (std::getline(is, t, d))
        v.push_back(t);
    return v;
}
std::string trim(std::string s)
{
    s.erase(0, s.find_first_not_of(" "));
    s.erase(s.find_last_not_of(" ") + 1);
    return s;
}
std::string join(const std::vector<std::string> &v, const std::string &d)
{
    std::string r;
    for (size_t i = 0; i < v.size(); i++) {
        if (i)
            r += d;
        r += v[i];
    }
    return r;
}
std::string upper(std::string s)
{
    for (auto &c : s)
        c = std::toupper(static_cast<unsigned char>(c));
    return s;
}
void run()
{
    for (auto &w : split("a b  c", ' '))
        std::cout << "[" << w << "]";
    std::cout << trim("  x y ") << "|" << join({"a", "b", "c"}, ", ");
    std::string s = "k=v";
    auto p = s.find('=');
    std::cout << s.substr(0, p) << s.substr(p + 1);
    std::cout << upper("mixed Case");
    std::string r(s.rbegin(), s.rend());
    std::cout << r << std::isdigit('5') / std::isdigit('5') << (bool)std::isalpha('5');
    std::cout << std::endl;
}
} // namespace s_split
namespace l_function
{
double pw(double a, double b)
{
    double r = 1;
    for (int i = 0; i < b; i++)
        r *= a;
    return r;
}
struct Counter {
    int n = 0;
    int operator()() { return ++n; }
};
void apply(const std::function<void(int)> &f) { f(7); }
int sub(int a, int b) { return a - b; }
void run()
{
    std::map<std::string, std::function<double(double, double)>> ops{{"+", std::plus<double>()},
                                                                     {"-", [](double a, double b) { return a - b; }},
                                                                     {"max", [](double a, double b) { return std::max(a, b); }},
                                                                     {"pow", pw}};
    for (auto &[n, f] : ops)
        std::cout << n << f(2, 3) << " ";
    std::vector<std::function<int()>> v;
    for (int i = 0; i < 3; i++)
        v.push_back([i] { return i * i; });
    for (auto &f : v)
        std::cout << f();
    std::function<void()> e;
    std::cout << (e ? 1 : 0) << (e == nullptr);
    Counter c;
    std::function<int()> cf = std::ref(c);
    cf();
    cf();
    std::cout << c.n;
    apply([](int x) { std::cout << x; });
    auto b = std::bind(sub, std::placeholders::_2, std::placeholders::_1);
    std::cout << b(1, 5);
    auto n = std::not_fn([](int x) { return x > 2; });
    std::cout << n(1) << std::negate<int>()(3) << std::multiplies<>()(2, 2.5) << std::greater<int>()(2, 1);
    std::cout << std::endl;
}
} // namespace l_function
int main()
{
    io_sstream::run();
    s_split::run();
    l_function::run();
}
