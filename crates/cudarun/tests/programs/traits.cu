// Questions about types. What is expected is what g++ 12 prints.
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
namespace traits
{
struct B {
    virtual ~B() {}
};
struct D : B {};
struct T {
    int a;
    double b;
};
struct T0 {};
enum E : unsigned char {};
union U {
    int a;
};
struct Ab {
    virtual void f() = 0;
};
struct Fi final {};
double fn(int) { return 1; }
void run()
{
    std::cout
        << std::is_constructible<std::string, const char *>::value
        << std::is_constructible_v<int, std::string> << std::is_base_of_v<B, D> << std::is_base_of<D, B>::value
        << std::is_convertible_v<int, double> << std::is_convertible<std::string, int>::value
        << std::
               is_trivially_copyable_v<
                   T> << std::is_trivially_copyable_v<std::string> << std::is_same_v<std::decay_t<const int &>, int> << std::is_same_v<std::conditional_t<true, int, char>, int> << std::is_same_v<std::invoke_result_t<decltype(fn), int>, double> << std::is_same_v<std::remove_reference_t<int &>, int> << std::is_same_v<std::add_const_t<int>, const int> << std::is_pointer_v<int *> << std::is_array_v<int[3]> << std::is_function_v<int(int)> << std::is_lvalue_reference_v<int &> << std::is_rvalue_reference_v<int &&> << std::is_integral_v<long> << std::is_floating_point_v<float> << std::is_arithmetic_v<char> << std::is_enum_v<E> << std::is_class_v<B> << std::is_union_v<U> << std::is_polymorphic_v<B> << std::is_abstract_v<Ab> << std::is_final_v<Fi> << std::is_empty_v<T0> << std::is_signed_v<int> << std::is_unsigned_v<unsigned> << std::is_const_v<const int> << std::is_void_v<void> << std::is_null_pointer_v<std::nullptr_t> << std::is_member_pointer_v<int B::*> << std::is_default_constructible_v<B> << std::is_copy_constructible_v<std::unique_ptr<int>> << std::is_move_constructible_v<std::unique_ptr<int>> << std::is_copy_assignable_v<T> << std::is_nothrow_move_constructible_v<std::vector<int>> << std::is_destructible_v<T> << std::has_virtual_destructor_v<B> << std::is_standard_layout_v<T> << std::is_pod_v<T> << std::is_trivial_v<T> << std::is_aggregate_v<T> << std::is_assignable_v<int &, double> << std::is_scalar_v<int *> << std::is_object_v<int> << std::is_fundamental_v<int> << std::is_compound_v<T> << std::rank_v<int[2][3]> << std::extent_v<int[4]> << std::alignment_of_v<double>;
    std::cout << std::
                     is_same_v<std::underlying_type_t<E>,
                               unsigned char> << std::is_same_v<std::common_type_t<int, double>, double> << std::is_same_v<std::make_unsigned_t<int>, unsigned> << std::is_same_v<std::remove_pointer_t<int *>, int> << std::is_same_v<std::remove_extent_t<int[2]>, int> << std::is_same_v<std::add_pointer_t<int>, int *> << std::is_same_v<std::remove_cv_t<const volatile int>, int> << std::is_invocable_v<decltype(fn), int> << std::is_invocable_r_v<int, decltype(fn), int> << std::is_invocable_v<decltype(fn), std::string> << std::conjunction_v<std::true_type, std::false_type> << std::disjunction_v<std::true_type, std::false_type> << std::negation_v<std::false_type> << std::is_swappable_v<int> << std::is_nothrow_constructible_v<int, int> << std::is_trivially_destructible_v<std::string> << std::is_trivially_default_constructible_v<T> << std::is_same_v<std::result_of_t<decltype (&fn)(int)>, double>;
    std::cout << std::endl;
}
} // namespace traits
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
int main()
{
    traits::run();
    traits_sfinae::run();
}
