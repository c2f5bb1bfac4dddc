// Containers: contents, orders, exceptions.
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

template <typename C> static void show(const char *name, const C &c)
{
    std::cout << name << " (" << c.size() << "):";
    for (const auto &x : c)
        std::cout << ' ' << x;
    std::cout << '\n';
}
template <typename C> static void show_pairs(const char *name, const C &c)
{
    std::cout << name << " (" << c.size() << "):";
    for (const auto &[k, v] : c)
        std::cout << ' ' << k << '=' << v;
    std::cout << '\n';
}
template <typename F> static void attempt(F f)
{
    try {
        f();
        std::cout << "no exception\n";
    } catch (const std::exception &e) {
        std::cout << e.what() << '\n';
    }
}
// Counts what happens to it.
struct Counted {
    static inline int made, copied, moved, gone;
    int value;
    Counted(int v = 0) : value(v) { made++; }
    Counted(const Counted &c) : value(c.value) { copied++; }
    Counted(Counted &&c) noexcept : value(c.value) { moved++; }
    Counted &operator=(const Counted &) = default;
    ~Counted() { gone++; }
    bool operator<(const Counted &c) const { return value < c.value; }
};
struct Throwing {
    static inline int copied, moved;
    Throwing() {}
    Throwing(const Throwing &) { copied++; }
    Throwing(Throwing &&) { moved++; }
};
static void vectors()
{
    std::vector<int> v;
    for (int i = 0; i < 20; i++) {
        v.push_back(i * i);
        std::cout << v.capacity() << ' ';
    }
    std::cout << '\n';
    v.insert(v.begin() + 2, 100);
    v.insert(v.end(), {7, 8, 9});
    v.insert(v.begin(), 3, -1);
    v.insert(v.begin() + 4, v.begin(), v.begin() + 2);
    v.erase(v.begin());
    v.erase(v.begin() + 5, v.begin() + 8);
    show("vector", v);
    std::cout << v.front() << v.back() << v.at(3) << v[4] << v.size() << ' ' << v.capacity() << v.empty() << '\n';
    v.resize(5);
    v.resize(7);
    v.resize(8, 42);
    v.emplace_back(1);
    v.emplace(v.begin() + 1, 77);
    v.pop_back();
    show("resized", v);
    v.shrink_to_fit();
    std::cout << v.capacity() << '\n';
    v.reserve(100);
    std::cout << v.capacity() << ' ' << v.max_size() << '\n';
    std::vector<int> w(v), x(std::move(v)), y(3), z(3, 9), u{1, 2, 3};
    std::cout << w.size() << x.size() << v.size() << y[1] << z[2] << u[0] << (w == x) << (u < z) << (u != y) << '\n';
    w.assign(4, 5);
    u.assign({9, 8});
    w.swap(u);
    std::swap(w, z);
    show("w", w);
    show("u", u);
    std::vector<std::vector<float>> grid(3, std::vector<float>(2, 1.5f));
    grid[1][0] = 7;
    grid.push_back({1, 2, 3});
    for (const auto &row : grid)
        show("row", row);
    std::vector<bool> flags(5);
    flags[2] = true;
    flags.push_back(true);
    show("flags", flags);
    std::vector<std::pair<int, std::string>> pairs{{1, "one"}, {2, "two"}};
    pairs.push_back({3, "three"});
    pairs.emplace_back(4, "four");
    show_pairs("pairs", pairs);
    std::vector<std::string> words{"b", "a"};
    words.push_back(words[0]);
    words.insert(words.begin(), words.back());
    std::sort(words.rbegin(), words.rend());
    show("words", words);
    int raw[] = {1, 2, 3};
    std::vector<int> from(raw, raw + 3), ends(std::begin(raw), std::end(raw));
    std::cout << (from == ends) << from.data()[1] << *from.rbegin() << *from.cbegin() << '\n';
    attempt([&] { from.at(3); });
    attempt([&] { from.at(-1); });
    attempt([&] { from.reserve(from.max_size() + 1); });
    attempt([&] { std::array<int, 3>{}.at(5); });
    {
        std::vector<Counted> c;
        for (int i = 0; i < 10; i++)
            c.push_back(Counted(i));
        c.emplace_back(11);
        c.erase(c.begin() + 2);
        std::vector<Counted> d = c;
        d = c;
        std::vector<Counted> e(5);
        e.resize(2);
        e = std::move(d);
    }
    std::cout << Counted::made << ' ' << Counted::copied << ' ' << Counted::moved << ' ' << Counted::gone << '\n';
    std::vector<Throwing> t(3);
    t.emplace_back();
    t.emplace_back();
    std::cout << Throwing::copied << ' ' << Throwing::moved << '\n';
}
static void trees()
{
    std::map<std::string, int> m{{"pear", 3}, {"apple", 1}};
    m["fig"] = 2;
    m["apple"]++;
    m.insert({"kiwi", 7});
    m.insert(std::make_pair("kiwi", 9));
    m.emplace("plum", 4);
    show_pairs("map", m);
    std::cout << m.count("fig") << m.count("nut") << m.find("pear")->second << (m.find("x") == m.end()) << m.at("plum") << m.begin()->first
              << m.rbegin()->first << m.lower_bound("g")->first << m.upper_bound("kiwi")->first << '\n';
    m.erase("fig");
    m.erase(m.begin());
    auto [at, added] = m.try_emplace("zebra", 1);
    std::cout << at->first << added << m.insert_or_assign("zebra", 5).second << m["zebra"] << '\n';
    attempt([&] { m.at("missing"); });
    for (auto i = m.begin(); i != m.end();) {
        if (i->second > 4)
            i = m.erase(i);
        else
            ++i;
    }
    show_pairs("map", m);
    std::map<std::pair<int, int>, int, std::greater<std::pair<int, int>>> g;
    g[{1, 2}] = 3;
    g[{2, 1}] = 4;
    std::cout << g.begin()->first.first << g.size() << '\n';
    std::set<int> s{5, 1, 4, 1, 3};
    std::cout << s.insert(2).second << s.insert(5).second << s.count(4) << *s.begin() << *s.rbegin() << *s.lower_bound(3) << '\n';
    s.erase(4);
    show("set", s);
    std::multiset<int> ms{3, 1, 3, 2, 3};
    std::cout << ms.count(3) << ms.erase(3) << '\n';
    show("multiset", ms);
    std::multimap<int, char> mm{{1, 'a'}, {2, 'b'}, {1, 'c'}};
    mm.insert({1, 'd'});
    show_pairs("multimap", mm);
    auto range = mm.equal_range(1);
    std::cout << std::distance(range.first, range.second) << '\n';
    // Many insertions and removals, compared with a sum of what is left.
    std::set<unsigned> big;
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned k = seed >> 20;
        if (i % 3 == 2)
            big.erase(k);
        else
            big.insert(k);
    }
    unsigned long sum = 0, last = 0;
    bool ordered = true;
    for (unsigned k : big) {
        sum = sum * 7 + k;
        ordered = ordered && (last == 0 || last < k);
        last = k;
    }
    std::set<unsigned> other = big, third;
    third = std::move(other);
    std::cout << big.size() << ' ' << sum << ordered << (third == big) << other.size() << '\n';
    while (!third.empty())
        third.erase(third.begin());
    std::cout << third.size() << '\n';
}
struct Point {
    int x, y;
    bool operator==(const Point &p) const { return x == p.x && y == p.y; }
};
struct PointHash {
    size_t operator()(const Point &p) const { return std::hash<int>()(p.x) ^ std::hash<int>()(p.y) << 1; }
};
enum class Colour { red, green };
static void hashes()
{
    std::unordered_map<std::string, int> m;
    for (const char *w : {"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "again", "and", "again", "until", "it", "is", "tired"})
        m[w]++;
    show_pairs("words", m);
    std::cout << m.bucket_count() << ' ' << m.count("fox") << m.count("cat") << m["the"] << m.at("dog") << '\n';
    attempt([&] { m.at("missing"); });
    m.erase("fox");
    m.erase(m.find("dog"));
    show_pairs("words", m);
    std::unordered_map<int, int> n;
    for (int i = 0; i < 50; i++) {
        n[i * 37 % 101] = i;
        std::cout << n.bucket_count() << ' ';
    }
    std::cout << '\n';
    show_pairs("numbers", n);
    for (int i = 0; i < 101; i += 2)
        n.erase(i);
    n.insert({1000, 1});
    show_pairs("numbers", n);
    std::unordered_set<int> s{5, 1, 9, 100, 13, 27, 5};
    std::cout << s.insert(8).second << s.insert(5).second << s.bucket_count() << '\n';
    show("set", s);
    std::unordered_set<int> copy = s, moved = std::move(s);
    show("copy", copy);
    std::cout << (copy == moved) << s.size() << '\n';
    copy.reserve(100);
    std::cout << copy.bucket_count() << ' ' << copy.load_factor() << '\n';
    show("reserved", copy);
    copy.clear();
    copy.insert(3);
    show("cleared", copy);
    std::unordered_set<long> big;
    for (long i = 0; i < 3000; i++)
        big.insert(i * i % 10007);
    long sum = 0;
    for (long k : big)
        sum = (sum * 31 + k) % 1000000007;
    std::cout << big.size() << ' ' << big.bucket_count() << ' ' << sum << '\n';
    std::unordered_map<Point, int, PointHash> p;
    p[{1, 2}] = 3;
    p[{1, 2}]++;
    p[{2, 1}] = 9;
    for (const auto &one : p)
        std::cout << one.first.x << one.first.y << one.second << ' ';
    std::unordered_multimap<int, int> mm{{1, 1}, {2, 2}, {1, 3}, {3, 4}, {1, 5}};
    mm.insert({2, 6});
    show_pairs("multimap", mm);
    for (int i = 0; i < 30; i++)
        mm.insert({i % 7, i});
    show_pairs("multimap", mm);
    std::cout << mm.count(1) << mm.erase(1) << mm.size() << '\n';
    std::unordered_map<double, int> d{{0.5, 1}, {-1.5, 2}, {3.25, 3}};
    show_pairs("double", d);
    std::unordered_map<Colour, int> c{{Colour::red, 1}, {Colour::green, 2}};
    std::cout << c[Colour::green] << std::hash<std::string>()("hash") << ' ' << std::hash<double>()(1.5) << ' ' << std::hash<float>()(1.5f) << ' '
              << std::hash<char>()('a') << '\n';
    std::vector<int> source{4, 3, 2, 1, 4};
    std::unordered_set<int> from(source.begin(), source.end());
    show("from", from);
}
static void sequences()
{
    std::deque<int> d{3, 4};
    for (int i = 0; i < 200; i++) {
        d.push_front(-i);
        d.push_back(i);
        if (i % 3 == 0)
            d.pop_front();
        if (i % 7 == 0)
            d.pop_back();
    }
    d.insert(d.begin() + 5, 1000);
    d.insert(d.end() - 2, 2000);
    d.erase(d.begin() + 50, d.begin() + 250);
    show("deque", d);
    const int &kept = d.front();
    for (int i = 0; i < 1000; i++)
        d.push_back(i);
    std::sort(d.begin(), d.end());
    std::cout << d[10] << ' ' << d.at(20) << ' ' << kept << ' ' << d.size() << (d.begin() < d.end()) << d.end() - d.begin() << '\n';
    attempt([&] { d.at(100000); });
    std::list<int> l{3, 1, 4, 1, 5, 9, 2, 6};
    l.sort();
    l.unique();
    l.push_front(0);
    l.remove(4);
    l.remove_if([](int x) { return x > 8; });
    l.reverse();
    l.insert(std::next(l.begin(), 2), 77);
    show("list", l);
    std::list<int> other{10, 20};
    l.splice(l.begin(), other);
    l.erase(std::prev(l.end()));
    l.sort(std::greater<int>());
    show("spliced", l);
    std::stack<int> st;
    std::queue<std::string> q;
    for (int i = 0; i < 5; i++) {
        st.push(i);
        q.push(std::to_string(i));
    }
    for (; !st.empty(); st.pop(), q.pop())
        std::cout << st.top() << q.front() << q.back() << ' ';
    std::cout << '\n';
    std::priority_queue<int> p;
    for (int x : {3, 1, 4, 1, 5, 9})
        p.push(x);
    for (; !p.empty(); p.pop())
        std::cout << p.top();
    std::cout << '\n';
    typedef std::pair<int, int> Edge;
    auto by_cost = [](const Edge &a, const Edge &b) { return a.first > b.first; };
    std::priority_queue<Edge, std::vector<Edge>, decltype(by_cost)> e(by_cost);
    for (int i = 0; i < 40; i++)
        e.emplace(i * 7 % 5, i);
    for (; !e.empty(); e.pop())
        std::cout << e.top().first << ':' << e.top().second << ' ';
    std::cout << '\n';
    std::priority_queue<int, std::vector<int>, std::greater<int>> least;
    least.push(2);
    least.push(1);
    std::cout << least.top() << '\n';
    std::array<int, 4> a{4, 3, 2};
    a.fill(7);
    a[1] = 0;
    auto [a0, a1, a2, a3] = a;
    std::cout << a0 << a1 << a2 << a3 << a.size() << a.back() << std::get<1>(a) << (a == std::array<int, 4>{7, 0, 7, 7}) << '\n';
}
static void tuples()
{
    std::tuple<int, double, std::string> t(1, 2.5, "three"), u = std::make_tuple(2, 1.5, "x");
    auto [i, d, s] = t;
    std::cout << i << d << s << std::get<0>(u) << std::get<std::string>(u) << (t < u) << (t == t) << std::tuple_size<decltype(t)>::value << '\n';
    int a;
    std::string b;
    std::tie(a, std::ignore, b) = t;
    std::tie(a, i) = std::make_tuple(i, a);
    std::cout << a << b << i << std::apply([](int x, double y, const std::string &z) { return x + y + z.size(); }, t) << '\n';
    std::swap(t, u);
    auto joined = std::tuple_cat(t, std::make_tuple('c', 9));
    std::cout << std::get<0>(t) << std::get<3>(joined) << std::get<4>(joined) << '\n';
    std::pair<int, std::string> p = std::make_pair(1, "pair"), q{2, "other"};
    std::swap(p, q);
    auto [first, second] = p;
    std::cout << first << second << (p > q) << p.first << std::get<1>(q) << '\n';
    int x = 1, y = 2;
    auto r = std::make_tuple(std::ref(x), y);
    std::get<0>(r) = 50;
    std::get<1>(r) = 60;
    std::cout << x << y << std::exchange(x, 3) << x << '\n';
    std::vector<std::tuple<int, int>> v{{3, 1}, {1, 2}, {1, 1}};
    std::sort(v.begin(), v.end());
    for (auto &[k, w] : v)
        std::cout << k << w << ' ';
    std::cout << '\n';
}
static int add(int a, int b) { return a + b; }
struct Adder {
    int base;
    int more(int n) const { return base + n; }
    int operator()(int n) { return base += n; }
};
static void functions()
{
    std::function<int(int, int)> f = add, g = [](int a, int b) { return a * b; }, h;
    std::cout << f(2, 3) << g(2, 3) << bool(h) << (h == nullptr) << '\n';
    h = f;
    f = g;
    std::cout << h(4, 5) << f(4, 5) << '\n';
    attempt([] { std::function<void()>()(); });
    int total = 0;
    std::function<void(int)> count = [&total](int n) { total += n; };
    for (int i = 0; i < 4; i++)
        count(i);
    std::function<int(int)> fibonacci = [&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); };
    std::cout << total << ' ' << fibonacci(15) << '\n';
    Adder adder{10};
    std::function<int(int)> by_value = adder, by_reference = std::ref(adder);
    by_value(1);
    by_reference(2);
    std::cout << adder.base << ' ' << by_value(0) << '\n';
    using namespace std::placeholders;
    auto minus = std::bind(std::minus<int>(), _2, _1);
    auto ten = std::bind(add, _1, 10);
    auto member = std::bind(&Adder::more, &adder, _1);
    std::cout << minus(1, 5) << ' ' << ten(5) << ' ' << member(3) << ' ' << std::mem_fn(&Adder::more)(adder, 1) << ' ' << std::invoke(&Adder::base, adder)
              << std::not_fn([](int n) { return n > 0; })(5) << '\n';
    std::map<std::string, std::function<double(double, double)>> table{{"+", std::plus<double>()}, {"-", [](double a, double b) { return a - b; }}};
    for (auto &[name, operation] : table)
        std::cout << name << operation(5, 3) << ' ';
    std::cout << std::less<>()(1, 2) << std::negate<int>()(4) << std::logical_not<bool>()(true) << std::bit_xor<int>()(5, 1) << '\n';
}
int main()
{
    vectors();
    trees();
    hashes();
    sequences();
    tuples();
    functions();
}
