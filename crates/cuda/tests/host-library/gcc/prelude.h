// What CUDA's front end knows by itself and g++ does not: for tests of the host's library with g++.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define __host__
#define __device__
template <typename T> inline constexpr bool __gcc_void = false;
template <> inline constexpr bool __gcc_void<void> = true;
template <> inline constexpr bool __gcc_void<const void> = true;
template <typename T> inline constexpr bool __gcc_floating = false;
template <> inline constexpr bool __gcc_floating<float> = true;
template <> inline constexpr bool __gcc_floating<double> = true;
template <> inline constexpr bool __gcc_floating<long double> = true;
template <typename T> inline constexpr bool __gcc_integral = false;
#define GCC_INTEGRAL(T) template <> inline constexpr bool __gcc_integral<T> = true;
GCC_INTEGRAL(bool)
GCC_INTEGRAL(char)
GCC_INTEGRAL(signed char)
GCC_INTEGRAL(unsigned char)
GCC_INTEGRAL(short)
GCC_INTEGRAL(unsigned short)
GCC_INTEGRAL(int)
GCC_INTEGRAL(unsigned)
GCC_INTEGRAL(long)
GCC_INTEGRAL(unsigned long)
GCC_INTEGRAL(long long)
GCC_INTEGRAL(unsigned long long)
GCC_INTEGRAL(wchar_t)
#undef GCC_INTEGRAL
template <typename T> struct __gcc_plain { typedef T type; };
template <typename T> struct __gcc_plain<const T> { typedef T type; };
template <typename T> struct __gcc_plain<volatile T> { typedef T type; };
template <typename T> struct __gcc_plain<const volatile T> { typedef T type; };
template <typename T> using __gcc_plain_t = typename __gcc_plain<T>::type;
template <typename T> inline constexpr bool __gcc_pointer = false;
template <typename T> inline constexpr bool __gcc_pointer<T *> = true;
template <typename T> inline constexpr bool __gcc_reference = false;
template <typename T> inline constexpr bool __gcc_reference<T &> = true;
template <typename T> inline constexpr bool __gcc_reference<T &&> = true;
template <typename T> inline constexpr bool __gcc_array = false;
template <typename T> inline constexpr bool __gcc_array<T[]> = true;
template <typename T, size_t N> inline constexpr bool __gcc_array<T[N]> = true;
template <typename T> inline constexpr bool __gcc_const = false;
template <typename T> inline constexpr bool __gcc_const<const T> = true;
template <typename T, bool = __gcc_integral<__gcc_plain_t<T>> || __gcc_floating<__gcc_plain_t<T>>>
inline constexpr bool __gcc_signed = false;
template <typename T> inline constexpr bool __gcc_signed<T, true> = __gcc_plain_t<T>(-1) < __gcc_plain_t<T>(0);
template <typename T> inline constexpr bool __gcc_unsigned = __gcc_integral<__gcc_plain_t<T>> && !__gcc_signed<T>;
template <typename T> T &&__gcc_made();
template <typename U> void __gcc_take(U);
template <typename T, typename U, typename = void> inline constexpr bool __gcc_convertible = __gcc_void<T> && __gcc_void<U>;
template <typename T, typename U>
inline constexpr bool __gcc_convertible<T, U, decltype(__gcc_take<U>(__gcc_made<T>()))> = true;
template <typename R, typename C, typename... A> R (*__gcc_signature(R (C::*)(A...)))(A...);
template <typename R, typename C, typename... A> R (*__gcc_signature(R (C::*)(A...) const))(A...);
#define __underlying_value(T) (__underlying_type(T))0
#define __signature_value(F) __gcc_signature(&F::operator())
#define __is_void(T) __gcc_void<T>
#define __is_integral(T) __gcc_integral<__gcc_plain_t<T>>
#define __is_floating_point(T) __gcc_floating<__gcc_plain_t<T>>
#define __is_pointer(T) __gcc_pointer<__gcc_plain_t<T>>
#define __is_reference(T) __gcc_reference<T>
#define __is_array(T) __gcc_array<T>
#define __is_const(T) __gcc_const<T>
#define __is_signed(T) __gcc_signed<T>
#define __is_unsigned(T) __gcc_unsigned<T>
#define __is_convertible(T, U) __gcc_convertible<T, U>
#define __int_as_float(X) __builtin_bit_cast(float, X)
#define __longlong_as_double(X) __builtin_bit_cast(double, X)
// Weak: a program may have two files.
extern "C" __attribute__((weak)) void __library_report(const char *message)
{
    fprintf(stderr, "%s\n", message);
}
extern "C" [[noreturn]] __attribute__((weak)) void __library_assert(const char *message)
{
    fflush(stdout);
    fprintf(stderr, "%s\n", message);
    abort();
}
// What keeps exceptions: with g++'s own headers nothing asks for them.
extern "C" __attribute__((weak)) void *__library_current_exception() { return nullptr; }
extern "C" __attribute__((weak)) void *__library_own(void *exception) { return exception; }
extern "C" __attribute__((weak)) void __library_disown(void *) {}
extern "C" __attribute__((weak)) void __library_rethrow_exception(void *) { abort(); }
extern "C" __attribute__((weak)) int __library_uncaught_exceptions() { return 0; }
extern "C" __attribute__((weak)) void __library_begin_thread() {}
extern "C" __attribute__((weak)) void __library_end_thread() {}
extern "C" __attribute__((weak)) int __cudaBeginThread() { return 0; }
extern "C" __attribute__((weak)) int __cudaEndThread(int) { return 0; }
