// <span>, <numbers>, <iterator>.
#include <array>
#include <deque>
#include <iostream>
#include <iterator>
#include <numbers>
#include <set>
#include <span>
#include <string>
#include <vector>

static int sum(std::span<const int> s)
{
    int n = 0;
    for (int x : s)
        n += x;
    return n;
}
int main()
{
    int raw[] = {1, 2, 3};
    std::vector<int> v{4, 5, 6, 7};
    const std::vector<int> c{8};
    std::array<int, 2> a{9, 10};
    std::cout << sum(raw) << ' ' << sum(v) << ' ' << sum(c) << ' ' << sum(a) << ' ' << sum({v.data(), 2}) << '\n';
    std::span<int> s(v);
    s[0] = 40;
    s.back() = 70;
    std::cout << s.size() << s.size_bytes() << s.front() << s.subspan(1, 2).front() << s.first(2).back() << s.last(1)[0] << s.empty() << v[0] << *s.rbegin()
              << '\n';
    std::span t(raw);
    std::cout << t.size() << decltype(t)::extent << '\n';
    std::cout.precision(15);
    std::cout << std::numbers::pi << ' ' << std::numbers::e << ' ' << std::numbers::sqrt2_v<float> << ' ' << std::numbers::phi << '\n';
    std::vector<int> to;
    std::copy(std::begin(raw), std::end(raw), std::back_inserter(to));
    std::copy(v.rbegin(), v.rend(), std::inserter(to, to.begin() + 1));
    std::deque<int> d;
    std::copy(to.begin(), to.end(), std::front_inserter(d));
    std::set<int> set;
    std::copy(d.begin(), d.end(), std::inserter(set, set.end()));
    for (int x : to)
        std::cout << x << ' ';
    for (int x : d)
        std::cout << x << ' ';
    for (int x : set)
        std::cout << x << ' ';
    std::vector<std::string> words{"a", "b"}, moved(std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
    std::cout << moved[1] << words[0].size() << std::size(raw) << std::empty(v) << std::data(v)[0] << *std::prev(v.end()) << *std::next(v.begin(), 2)
              << std::distance(v.begin(), v.end()) << *std::rbegin(raw) << '\n';
}
