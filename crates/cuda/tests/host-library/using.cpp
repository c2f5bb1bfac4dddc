// Using-declarations and `decltype(x)::`.
#include <algorithm>
#include <iostream>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
using std::cout;
using std::cout;
using std::endl;
using std::max;
using std::max;
using std::string;
using std::string;
using std::swap;
using std::swap;
using std::vector;
using std::vector;
using namespace std;
using namespace std;
namespace n {
void f(int) { cout << "int\n"; }
}
using n::f;
namespace n {
void f(double) { cout << "double\n"; }
}
using n::f;
namespace m {
using n::f;
using n::f;
struct S {
    int a;
};
enum E { A, B };
template <class T> struct V {
    T t;
};
template <class T> T id(T t) { return t; }
}
using m::A;
using m::A;
using m::E;
using m::E;
using m::id;
using m::id;
using m::S;
using m::S;
using m::V;
using m::V;
namespace n {
void f(char) { cout << "char\n"; }
}
struct Constants {
    static constexpr int value = 7;
    using type = int;
    static int get() { return 9; }
    struct Nested {
        int q = 3;
    };
};
Constants make() { return {}; }
Constants x;
struct Derived : decltype(x) {
    int z = 1;
};
struct Other : decltype(make()) {};
template <int N> struct Number {
    static constexpr int n = N;
};
auto is_int = integral_constant<bool, true>{};
template <class T> auto test(int) -> decltype(declval<T>().size(), true_type{});
template <class T> auto test(...) -> false_type;
template <class T> struct has_size : decltype(test<T>(0)) {};
template <class T> constexpr bool has_size_v = decltype(test<T>(0))::value;
template <class T> typename decltype(T())::type five() { return 5; }
int main()
{
    f(1);
    f(2.0);
    m::f(2.0);
    {
        using std::cout;
        using std::max;
        cout << max(1, 2) << endl;
    }
    {
        using n::f;
        f('c');
        using namespace n;
        using namespace n;
        f(2.0);
    }
    S s{3};
    V<int> v{4};
    E e = A;
    cout << s.a << v.t << e << id(5) << "\n";

    cout << decltype(x)::value << "\n";
    typename decltype(make())::type t = 3;
    decltype(make())::type u = 4;
    cout << t << u << decltype(x)::get() << Number<decltype(x)::value>::n << "\n";
    decltype(x)::Nested nested;
    cout << nested.q << has_size<vector<int>>::value << has_size<int>::value << has_size_v<int> << has_size_v<vector<int>> << "\n";
    if constexpr (decltype(is_int)::value)
        cout << "yes\n";
    vector<int> list{1, 2, 3};
    for (decltype(list)::iterator i = list.begin(); i != list.end(); ++i)
        cout << *i;
    decltype(list)::value_type sum = 0;
    cout << sum << five<Constants>() << Derived::value << Other::get() << "\n";
    auto both = [](auto &&q) {
        using Q = typename std::decay<decltype(q)>::type;
        return Q::value + std::decay_t<decltype(q)>::value;
    };
    auto one = [](auto a) { return decltype(a)::value; };
    cout << both(x) << one(x) << sizeof(decltype(x)::Nested) << noexcept(decltype(x)::get()) << "\n";
    auto p = &decltype(x)::get;
    using U = decltype(x)::type;
    cout << p() << U(3) << static_cast<decltype(list)::value_type>(3.5) << std::numeric_limits<decltype(u)>::max() << "\n";
}
