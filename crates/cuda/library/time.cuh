// Clock of the multiprocessor, in the type that C gives it.
typedef long clock_t;
__device__ inline clock_t clock() { return clock64(); }
