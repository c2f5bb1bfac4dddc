// assert: a condition that ends the program where it does not hold. As in C, each inclusion obeys NDEBUG again.
#undef assert
#ifndef __assert_declared
#define __assert_declared
extern "C" {
[[noreturn]] void __assert_fail(const char *condition, const char *file, unsigned line, const char *function);
}
#endif
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
