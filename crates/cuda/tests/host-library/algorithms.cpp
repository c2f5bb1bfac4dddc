// <algorithm>, <numeric>: results and the order of equal elements.
#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iostream>
#include <iterator>
#include <list>
#include <numeric>
#include <random>
#include <string>
#include <vector>

struct Item {
    int key, place;
};
static bool by_key(const Item &a, const Item &b) { return a.key < b.key; }
static std::vector<Item> items(int n, unsigned seed, int keys)
{
    std::vector<Item> v;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        v.push_back({int((seed >> 16) % keys), i});
    }
    return v;
}
template <typename C> static void show(const char *name, const C &c)
{
    std::cout << name << ':';
    for (const auto &x : c)
        std::cout << ' ' << x;
    std::cout << '\n';
}
static void show_items(const char *name, const std::vector<Item> &v)
{
    unsigned long sum = 0;
    for (const Item &i : v)
        sum = sum * 31 + i.key * 1009 + i.place;
    std::cout << name << ' ' << v.size() << ' ' << sum << '\n';
}
static void sorting()
{
    for (int n : {0, 1, 2, 3, 15, 16, 17, 33, 100, 1000, 5000}) {
        for (int keys : {2, 10, 100000}) {
            auto v = items(n, n + keys, keys);
            auto w = v;
            std::sort(w.begin(), w.end(), by_key);
            show_items("sort", w);
            std::sort(w.begin(), w.end(), [](const Item &a, const Item &b) { return b.key < a.key; });
            show_items("reverse", w);
            w = v;
            std::stable_sort(w.begin(), w.end(), by_key);
            show_items("stable", w);
            w = v;
            std::partial_sort(w.begin(), w.begin() + n / 3, w.end(), by_key);
            show_items("partial", w);
            w = v;
            if (n) {
                std::nth_element(w.begin(), w.begin() + n / 2, w.end(), by_key);
                show_items("nth", w);
            }
            w = v;
            std::make_heap(w.begin(), w.end(), by_key);
            show_items("heap", w);
            w.push_back({keys / 2, -1});
            std::push_heap(w.begin(), w.end(), by_key);
            show_items("push", w);
            std::pop_heap(w.begin(), w.end(), by_key);
            show_items("pop", w);
            w.pop_back();
            std::cout << std::is_heap(w.begin(), w.end(), by_key) << '\n';
            std::sort_heap(w.begin(), w.end(), by_key);
            show_items("sort_heap", w);
            w = v;
            auto middle = std::partition(w.begin(), w.end(), [&](const Item &i) { return i.key * 2 < keys; });
            show_items("partition", w);
            std::cout << middle - w.begin() << '\n';
            w = v;
            std::stable_partition(w.begin(), w.end(), [&](const Item &i) { return i.key * 2 < keys; });
            show_items("stable_partition", w);
            w = v;
            w.erase(std::unique(w.begin(), w.end(), [](const Item &a, const Item &b) { return a.key % 3 == b.key % 3; }), w.end());
            show_items("unique", w);
            std::mt19937 g(n);
            std::shuffle(w.begin(), w.end(), g);
            show_items("shuffle", w);
            std::minstd_rand m(n);
            std::shuffle(w.begin(), w.end(), m);
            show_items("shuffle", w);
        }
    }
    // Many equal and ordered keys, which make quicksort deep.
    std::vector<Item> bad;
    for (int i = 0; i < 3000; i++)
        bad.push_back({i % 2 ? i : 3000 - i, i});
    std::sort(bad.begin(), bad.end(), by_key);
    show_items("deep", bad);
}
static void searching()
{
    std::vector<int> v{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
    std::cout << *std::min_element(v.begin(), v.end()) << *std::max_element(v.begin(), v.end()) << ' '
              << std::max_element(v.begin(), v.end()) - v.begin() << ' ' << std::count(v.begin(), v.end(), 5) << ' '
              << std::count_if(v.begin(), v.end(), [](int x) { return x > 3; }) << ' ' << (std::find(v.begin(), v.end(), 9) - v.begin())
              << ' ' << (std::find_if(v.begin(), v.end(), [](int x) { return x > 100; }) == v.end()) << '\n';
    auto both = std::minmax_element(v.begin(), v.end());
    std::cout << both.first - v.begin() << ' ' << both.second - v.begin() << '\n';
    std::cout << std::min(3, 2) << std::max({1, 7, 3}) << std::min({4, 2, 8}) << std::clamp(15, 0, 10) << std::minmax(5, 4).first << '\n';
    std::cout << std::all_of(v.begin(), v.end(), [](int x) { return x > 0; }) << std::any_of(v.begin(), v.end(), [](int x) { return x == 9; })
              << std::none_of(v.begin(), v.end(), [](int x) { return x == 7; }) << '\n';
    std::sort(v.begin(), v.end(), std::greater<int>());
    show("greater", v);
    std::sort(v.begin(), v.end());
    show("sorted", v);
    std::cout << std::lower_bound(v.begin(), v.end(), 5) - v.begin() << ' ' << std::upper_bound(v.begin(), v.end(), 5) - v.begin() << ' '
              << std::binary_search(v.begin(), v.end(), 4) << std::binary_search(v.begin(), v.end(), 7) << ' '
              << std::equal_range(v.begin(), v.end(), 3).second - v.begin() << '\n';
    std::vector<int> a{1, 2, 2, 5, 9}, b{2, 3, 5, 5}, c;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    show("union", c);
    c.clear();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    show("intersection", c);
    c.clear();
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    show("difference", c);
    c.clear();
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    show("symmetric", c);
    c.clear();
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    show("merge", c);
    std::cout << std::includes(c.begin(), c.end(), a.begin(), a.end()) << std::is_sorted(c.begin(), c.end()) << '\n';
    std::vector<int> two{2, 5};
    std::cout << std::search(a.begin(), a.end(), two.begin(), two.end()) - a.begin() << ' '
              << std::adjacent_find(a.begin(), a.end()) - a.begin() << ' ' << std::mismatch(a.begin(), a.end() - 1, b.begin()).first - a.begin()
              << ' ' << std::equal(a.begin(), a.end(), b.begin(), b.end()) << std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end())
              << std::is_permutation(a.begin(), a.end(), a.rbegin()) << '\n';
}
static void changing()
{
    std::vector<int> v(10);
    std::iota(v.begin(), v.end(), 1);
    std::rotate(v.begin(), v.begin() + 3, v.end());
    show("rotate", v);
    std::cout << std::rotate(v.begin(), v.begin() + 7, v.end()) - v.begin() << '\n';
    std::reverse(v.begin(), v.end());
    show("reverse", v);
    v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x % 3 == 0; }), v.end());
    v.erase(std::remove(v.begin(), v.end(), 4), v.end());
    show("removed", v);
    std::replace(v.begin(), v.end(), 5, 50);
    std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x * 2; });
    show("transformed", v);
    std::vector<int> w(v.size());
    std::transform(v.begin(), v.end(), v.rbegin(), w.begin(), std::plus<int>());
    show("sums", w);
    std::copy_if(v.begin(), v.end(), w.begin(), [](int x) { return x > 10; });
    std::copy_backward(w.begin(), w.begin() + 2, w.end());
    show("copied", w);
    std::fill_n(w.begin(), 2, -1);
    int n = 0;
    std::generate(w.begin() + 2, w.end(), [&n] { return n++; });
    show("generated", w);
    std::swap_ranges(v.begin(), v.begin() + 3, w.begin());
    show("swapped", v);
    std::array<int, 4> p{1, 2, 3, 4};
    int count = 0;
    do {
        count++;
        if (count % 5 == 0)
            show("permutation", p);
    } while (std::next_permutation(p.begin(), p.end()));
    std::prev_permutation(p.begin(), p.end());
    show("previous", p);
    std::list<int> l{5, 2, 8, 1};
    std::list<int>::iterator at = std::find(l.begin(), l.end(), 8);
    std::cout << std::distance(l.begin(), at) << *std::next(l.begin(), 1) << *std::prev(l.end()) << '\n';
    std::reverse(l.begin(), l.end());
    show("list", l);
    srand(7);
    std::vector<int> r{5, 3, 1, 7, 6, 4, 2};
    std::inplace_merge(r.begin(), r.begin() + 3, r.end(), std::greater<int>());
    show("merged", r);
    std::string text = "hello world";
    std::sort(text.begin(), text.end());
    std::transform(text.begin(), text.end(), text.begin(), ::toupper);
    std::cout << text << '\n';
    std::for_each(r.begin(), r.end(), [](int &x) { x *= x; });
    show("squares", r);
}
static void numbers()
{
    std::vector<float> f;
    for (int i = 0; i < 1003; i++)
        f.push_back(1.0f / (i + 1));
    std::cout.precision(9);
    std::cout << std::accumulate(f.begin(), f.end(), 0.0f) << ' ' << std::accumulate(f.begin(), f.end(), 0.0) << ' '
              << std::reduce(f.begin(), f.end()) << ' ' << std::inner_product(f.begin(), f.end(), f.rbegin(), 0.0f) << ' '
              << std::transform_reduce(f.begin(), f.end(), f.begin(), 0.0f) << ' '
              << std::transform_reduce(f.begin(), f.end(), 0.0f, std::plus<>(), [](float x) { return x * x; }) << '\n';
    std::vector<int> v{1, 2, 3, 4, 5}, w(5);
    std::partial_sum(v.begin(), v.end(), w.begin());
    show("partial", w);
    std::adjacent_difference(w.begin(), w.end(), w.begin());
    show("difference", w);
    std::exclusive_scan(v.begin(), v.end(), w.begin(), 10);
    show("exclusive", w);
    std::inclusive_scan(v.begin(), v.end(), w.begin());
    show("inclusive", w);
    std::cout << std::accumulate(v.begin(), v.end(), 1, std::multiplies<int>()) << ' ' << std::gcd(84, -36) << ' ' << std::lcm(4, 6) << '\n';
    std::vector<std::string> s{"a", "b", "c"};
    std::cout << std::accumulate(s.begin(), s.end(), std::string("=")) << '\n';
}
int main()
{
    sorting();
    searching();
    changing();
    numbers();
}
