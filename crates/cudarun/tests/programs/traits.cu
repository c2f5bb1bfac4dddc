// Questions about types. What is expected is what g++ 12 prints.
#include <iostream>
#include <string>
#include <type_traits>
#include <utility>
namespace traits_sfinae
{
template <class T> std::enable_if_t<std::is_integral_v<T>, int> f(T) { return 1; }
template <class T> std::enable_if_t<std::is_floating_point_v<T>, int> f(T) { return 2; }
template <class T, class = void> struct has_size : std::false_type {};
template <class T> struct has_size<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
template <class T> int g(const T &t)
{
    if constexpr (has_size<T>::value)
        return t.size();
    else
        return t;
}
template <class T, typename std::enable_if<std::is_arithmetic<T>::value>::type * = nullptr> char h(T) { return 'a'; }
template <class T, typename std::enable_if<!std::is_arithmetic<T>::value>::type * = nullptr> char h(T) { return 'b'; }
void run()
{
    std::cout << f(1) << f(2.5) << has_size<std::string>::value << has_size<int>::value << g(3) << g(std::string("abc")) << h(1)
              << h("s");
    std::cout << std::endl;
}
} // namespace traits_sfinae
int main() { traits_sfinae::run(); }
