// <string>, <string_view>, <stdexcept>.
#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

template <typename F> static void attempt(F f)
{
    try {
        f();
        std::cout << "no exception\n";
    } catch (const std::out_of_range &e) {
        std::cout << "out_of_range: " << e.what() << '\n';
    } catch (const std::invalid_argument &e) {
        std::cout << "invalid_argument: " << e.what() << '\n';
    } catch (const std::exception &e) {
        std::cout << "exception: " << e.what() << '\n';
    }
}
static void changing()
{
    std::string a, b("hello"), c(3, 'x'), d(b, 1, 3), e("embedded\0zero", 13), f = b + ' ' + c + "!" + std::to_string(12);
    std::cout << a.empty() << b << c << d << e.size() << f << '\n';
    a = b;
    a += " world";
    a += '!';
    a.insert(5, ",").append(2, '?').push_back('.');
    std::cout << a << ' ' << a.size() << ' ' << a.length() << '\n';
    a.erase(5, 1).replace(0, 5, "HELLO there");
    std::cout << a << '\n';
    a.resize(5);
    a.resize(8, '*');
    std::cout << a << a.front() << a.back() << a[1] << a.at(2) << '\n';
    a.pop_back();
    a.insert(a.begin(), '>');
    a.erase(a.begin() + 1);
    a.erase(a.end() - 2, a.end());
    std::cout << a << ' ' << a.c_str() << ' ' << a.data()[0] << '\n';
    a.append(a).append(a, 2, 3).append(a.c_str() + 1);
    std::cout << a << '\n';
    a.replace(1, 2, a).insert(3, a);
    std::cout << a << '\n';
    a.assign(b).assign("assigned").assign(4, 'z');
    b.swap(a);
    std::swap(b, c);
    std::cout << a << b << c << '\n';
    std::string moved = std::move(a);
    std::string long_text(100, 'l');
    std::string taken = std::move(long_text);
    std::cout << moved << a.size() << taken.size() << long_text.size() << '\n';
    for (char &x : moved)
        x = char(x - 32);
    std::reverse(moved.begin(), moved.end());
    std::cout << moved << std::string(moved.rbegin(), moved.rend()) << '\n';
    std::string s = std::string("a") + "b" + 'c' + std::string("d");
    s = "x" + s;
    s = 'y' + s;
    std::cout << s << (s == "yxabcd") << (s != "q") << (s < "z") << ("a" < s) << (s > std::string("y")) << (s.compare("yz") < 0) << s.compare(1, 2, "xa")
              << '\n';
    std::cout << std::string(20, 'c').capacity() << std::string().capacity() << '\n';
    std::string grows;
    size_t last = 0;
    for (int i = 0; i < 300; i++) {
        grows += 'g';
        if (grows.capacity() != last)
            std::cout << (last = grows.capacity()) << ' ';
    }
    std::cout << '\n';
}
static void searching()
{
    std::string s = "the quick brown fox jumps over the lazy dog";
    std::cout << s.find("the") << ' ' << s.find("the", 1) << ' ' << s.rfind("the") << ' ' << s.find('q') << ' ' << (s.find("cat") == std::string::npos)
              << ' ' << s.find_first_of("aeiou") << ' ' << s.find_last_of("aeiou") << ' ' << s.find_first_not_of("the ") << ' '
              << s.find_last_not_of("dog") << ' ' << s.rfind('o', 20) << ' ' << s.find("") << ' ' << s.find("", 100) << ' ' << s.rfind("") << '\n';
    std::cout << s.substr(4, 5) << '|' << s.substr(40) << '|' << s.substr(s.size()) << "|\n";
    std::string path = "/a/b/file.tar.gz";
    std::cout << path.substr(path.find_last_of('/') + 1) << ' ' << path.substr(path.rfind('.')) << '\n';
    std::string_view v = s;
    v.remove_prefix(4);
    std::cout << v.substr(0, 5) << v.size() << (v.substr(0, 5) == "quick") << v.find("fox") << v.front() << v.back() << (v < std::string_view("r")) << '\n';
    using namespace std::literals;
    std::cout << "literal"s.size() << "view"sv.size() << '\n';
    std::string words = "one,two,,three";
    size_t start = 0, end;
    while ((end = words.find(',', start)) != std::string::npos) {
        std::cout << '[' << words.substr(start, end - start) << ']';
        start = end + 1;
    }
    std::cout << '[' << words.substr(start) << "]\n";
}
static void converting()
{
    std::cout << std::to_string(-5) << std::to_string(7u) << std::to_string(-9223372036854775807ll - 1) << ' ' << std::to_string(3.14159) << ' '
              << std::to_string(2.5f) << ' ' << std::to_string(1e20) << ' ' << std::to_string(18446744073709551615ul) << '\n';
    size_t used = 0;
    std::cout << std::stoi("42") << std::stoi(" -17abc", &used) << used << std::stoi("ff", nullptr, 16) << std::stol("123456789012")
              << std::stoul("7") << std::stoll("-8") << std::stoull("9") << ' ' << std::stof("2.5") << std::stod("1e-3x", &used) << used << '\n';
    attempt([] { std::stoi("abc"); });
    attempt([] { std::stoi(""); });
    attempt([] { std::stoi("99999999999"); });
    attempt([] { std::stod("x"); });
    attempt([] { std::stof("1e100"); });
    attempt([] { std::stoul("99999999999999999999"); });
    attempt([] { std::string("abc").at(3); });
    attempt([] { std::string("abc").substr(4); });
    attempt([] { std::string("abc").erase(5); });
    attempt([] { std::string("abc").insert(5, "x"); });
    attempt([] { std::string("abc").replace(9, 1, "x"); });
    attempt([] { std::string_view("abc").substr(9); });
    attempt([] { std::string_view("abc").at(9); });
    attempt([] { std::string(static_cast<const char *>(nullptr)); });
    attempt([] { throw std::runtime_error("plain"); });
    attempt([] { throw std::runtime_error(std::string("from ") + "string"); });
    attempt([] { throw std::logic_error("logic"); });
    attempt([] { throw std::range_error("range"); });
    attempt([] { throw std::exception(); });
    attempt([] { throw std::bad_exception(); });
    attempt([] { throw std::length_error("length"); });
    try {
        try {
            throw std::overflow_error("inner");
        } catch (const std::runtime_error &e) {
            std::cout << "caught " << e.what() << '\n';
            throw;
        }
    } catch (const std::overflow_error &e) {
        std::cout << "again " << e.what() << '\n';
    }
}
int main()
{
    changing();
    searching();
    converting();
}
