// assert: a condition that stops the program where it does not hold. As in C, each inclusion obeys NDEBUG anew.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
