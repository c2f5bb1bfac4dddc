// Names that g++'s headers bring along without the header that has them.
#include <iostream>
#include <map>
#include <vector>

template <class T> T twice(T x) { return std::max(x, x) + x; }

int main()
{
    std::map<int, std::string> m;
    m.insert(std::make_pair(1, "one"));
    m.insert(std::pair<const int, std::string>(2, "two"));
    std::vector<int> v{3, 1, 2};
    std::swap(v[0], v[1]);
    std::vector<int> w = std::move(v);
    std::fill(w.begin(), w.begin() + 1, twice(4));
    std::less<int> less;
    std::cout << m[1] << m[2] << w[0] << w.size() << less(1, 2) << std::min(1, 2) << std::to_string(5) << '\n';
    try {
        throw std::runtime_error("as with g++");
    } catch (const std::exception &e) {
        std::cout << e.what() << isalpha('x') / isalpha('x') << (char)std::toupper('a') << '\n';
    }
    std::string line;
    std::cin >> std::ws;
    std::getline(std::cin, line);
    std::cout << line << '\n';
    exit(abs(-3));
}
