// What programs write as g++ lets them. g++ prints the same.
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdio>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>
using std::cout, std::string;
using std::ptrdiff_t;
// A friend that only an argument's type finds, and that stands after its use.
template <typename T> class Box {
    T held{};

  public:
    Box() = default;
    explicit Box(T v) : held(v) {}
    Box &operator=(Box other)
    {
        swap(*this, other);
        return *this;
    }
    friend void swap(Box &a, Box &b) noexcept
    {
        using std::swap;
        swap(a.held, b.held);
        cout << "swapped ";
    }
    T get() const { return held; }
};
struct Printer {
    static void print(const string &s) { cout << '[' << s << ']'; }
};
static void print(const string &s) { cout << '<' << s << '>'; }
static void on(const string &s, std::function<void(const string &)> f) { f(s); }
static int total(std::initializer_list<std::function<int(int)>> all)
{
    int sum = 0;
    for (auto &f : all)
        sum += f(10);
    return sum;
}
static int twice(int x) { return 2 * x; }
static int next(int x) { return x + 1; }
struct Moved {
    Moved() {}
    Moved(const Moved &) { cout << "copied "; }
    Moved(Moved &&) noexcept { cout << "moved "; }
};
template <class... T> struct overloaded : T... {
    using T::operator()...;
};
template <class... T> overloaded(T...) -> overloaded<T...>;
// An override of a function of a base's base is virtual without saying so, where that is not the first base.
struct First { virtual int one() { return 1; } };
struct Second { virtual int two() { return 2; } };
struct Both : First, Second {};
struct Nearer : Both { int two() { return 20; } };
struct Nearest : Nearer { int two() { return 200; } };
int main()
{
    Box<int> a(1), b(2);
    a = b;
    cout << a.get() << '\n';
    on("a", print);
    on("b", &Printer::print);
    on("c", Printer::print);
    cout << total({twice, next}) << '\n';
    std::vector<int> v{3, 1, 2};
    sort(v.begin(), v.end());
    cout << v[0] << v[2] << *max_element(v.begin(), v.end()) << count(v.begin(), v.end(), 2) << '\n';
    cout << typeid(1).name() << ' ' << (ptrdiff_t)-3 << '\n';
    try {
        Moved local;
        throw local;
    } catch (Moved &) {
        cout << "caught\n";
    }
    Moved outside;
    try {
        throw outside;
    } catch (Moved &) {
        cout << "caught\n";
    }
    int exponent;
    cout << std::frexp(10, &exponent) << exponent << std::ldexp(3, 2) << std::ilogb(10) << std::isgreater(2, 1.5) << std::lround(7) << std::fma(2, 3, 4) << '\n';
    std::vector<std::bitset<8>> bits{std::bitset<8>(0), std::bitset<8>(5), std::bitset<8>("11")};
    cout << bits[0] << bits[1] << bits[2] << '\n';
    std::variant<std::nullptr_t, bool, double, string> some;
    for (int i = 0; i < 4; i++) {
        if (i == 1)
            some = true;
        if (i == 2)
            some = 2.5;
        if (i == 3)
            some = string("text");
        std::visit(overloaded{[](std::nullptr_t) { cout << "null "; }, [](bool x) { cout << x << ' '; }, [](double x) { cout << x << ' '; },
                              [](const string &s) { cout << s << '\n'; }},
                   some);
    }
    Nearest nearest;
    Nearer *nearer = &nearest;
    Second *second = &nearest;
    cout << nearer->two() << second->two() << '\n';
    std::map<int, string> from{{1, "one"}, {2, "two"}}, to{{2, "zwei"}};
    auto taken = from.extract(1);
    taken.key() = 7;
    to.insert(std::move(taken));
    to.merge(from);
    cout << from.size() << to.size() << to[7] << to[2] << from[2] << '\n';
}
