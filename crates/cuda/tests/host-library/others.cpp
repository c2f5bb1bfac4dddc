// Headers that few programs include.
#include <charconv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <forward_list>
#include <iomanip>
#include <iterator>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <system_error>
#include <unordered_set>
#include <valarray>
#include <vector>
#include <algorithm>
static int raised = 0;
static void handler(int number) { raised = number; }
template <typename C> static void show(const char *what, const C &all)
{
    std::cout << what << ':';
    for (const auto &one : all)
        std::cout << ' ' << one;
    std::cout << '\n';
}
static void lists()
{
    std::forward_list<int> l{5, 3, 9, 3, 1}, other{2, 4};
    l.push_front(7);
    l.insert_after(l.begin(), {8, 8});
    show("list", l);
    l.sort();
    l.unique();
    other.merge(l);
    show("merged", other);
    other.remove(4);
    other.remove_if([](int x) { return x > 8; });
    other.reverse();
    other.erase_after(other.begin());
    l.assign(2, 6);
    other.splice_after(other.before_begin(), l);
    show("spliced", other);
    std::cout << l.empty() << other.front() << std::distance(other.begin(), other.end()) << (other == std::forward_list<int>{6, 6}) << '\n';
    std::forward_list<std::string> words(3, "x");
    words.emplace_front(2, 'y');
    words.resize(2);
    show("words", words);
    std::deque<int> d{1, 2, 3};
    std::cout << *d.crbegin() << (d.crend() - d.crbegin()) << std::unordered_set<int>().key_eq()(1, 1) << '\n';
}
static void arrays()
{
    std::valarray<double> v{1, 2, 3, 4}, w(2.0, 4);
    show("sum", std::valarray<double>(v + w * 2.0 - 1.0));
    show("root", std::valarray<double>(std::sqrt(v)));
    show("power", std::valarray<double>(std::pow(v, 2.0)));
    std::cout << v.sum() << ' ' << v.min() << ' ' << v.max() << ' ' << (v * w).sum() << ' ' << std::accumulate(std::begin(v), std::end(v), 0.0) << '\n';
    v[v > 2.0] = 0;
    show("masked", v);
    std::valarray<int> m(12);
    std::iota(std::begin(m), std::end(m), 0);
    std::valarray<int> row = m[std::slice(4, 4, 1)], column = m[std::slice(1, 3, 4)];
    show("row", row);
    show("column", column);
    m[std::slice(0, 3, 4)] *= std::valarray<int>{10, 20, 30};
    show("changed", m);
    show("shifted", std::valarray<int>(row.shift(1)));
    show("turned", std::valarray<int>(row.cshift(-1)));
    show("applied", std::valarray<int>(row.apply([](int x) { return x * x; })));
    std::valarray<size_t> at{2, 0};
    show("chosen", std::valarray<int>(row[at]));
    row <<= 1;
    show("negative", std::valarray<int>(-row));
}
template <typename T> static void put(T value)
{
    char text[64];
    auto end = std::to_chars(text, text + sizeof text, value).ptr;
    std::cout << std::string(text, end) << ' ';
}
static void characters()
{
    put(0);
    put(-42);
    put(18446744073709551615ull);
    for (double x : {0.1, 1.0, 1e21, 123456789.0, 1e-7, 5e-324, 1.7976931348623157e308, 0.3, -2.5e-5, 100000.0, 1234567890123.0})
        put(x);
    put(0.1f);
    put(16777216.0f);
    char text[8];
    auto short_of = std::to_chars(text, text + 3, 12345);
    std::cout << (short_of.ec == std::errc::value_too_large) << ' ' << std::string(text, std::to_chars(text, text + 8, 255, 16).ptr) << '\n';
    for (const char *s : {"42abc", "-17", "x", "99999999999", "+5", " 1"}) {
        int v = -1;
        auto r = std::from_chars(s, s + strlen(s), v);
        std::cout << v << '/' << r.ptr - s << '/' << int(r.ec) << ' ';
    }
    for (const char *s : {"2.5e3x", "-.5", "abc", "1e999", "inf"}) {
        double v = -1;
        auto r = std::from_chars(s, s + strlen(s), v);
        std::cout << v << '/' << r.ptr - s << '/' << int(r.ec) << ' ';
    }
    std::cout << '\n';
}
static void errors()
{
    std::error_code code = std::make_error_code(std::errc::no_such_file_or_directory), none;
    std::cout << code.value() << ' ' << code.message() << ' ' << code.category().name() << ' ' << code << ' ' << bool(none) << (code == std::errc::no_such_file_or_directory) << '\n';
    try {
        throw std::system_error(code, "opening");
    } catch (const std::runtime_error &e) {
        std::cout << e.what() << '\n';
    }
    std::signal(SIGINT, handler);
    std::cout << (std::signal(SIGTERM, SIG_IGN) == SIG_DFL) << std::raise(SIGINT) << raised << std::raise(SIGTERM) << '\n';
    std::cout << std::setlocale(LC_ALL, nullptr) << std::localeconv()->decimal_point << (std::setlocale(LC_ALL, "xx_YY") == nullptr) << '\n';
}
int main()
{
    lists();
    arrays();
    characters();
    errors();
    std::ranlux24_base base(1);
    std::ranlux24 luxury;
    std::ranlux48 wide(7);
    std::knuth_b shuffled(3);
    luxury.discard(100);
    std::cout << base() << ' ' << luxury() << ' ' << wide() << ' ' << shuffled() << '\n';
    std::vector<int> all(20), some;
    std::iota(all.begin(), all.end(), 0);
    std::mt19937 engine(12345);
    std::sample(all.begin(), all.end(), std::back_inserter(some), 5, engine);
    show("sample", some);
    std::tm when = {};
    std::istringstream("2024-02-29 13:45:06") >> std::get_time(&when, "%Y-%m-%d %H:%M:%S");
    std::cout << std::put_time(&when, "%d.%m.%Y %T") << '\n';
}
