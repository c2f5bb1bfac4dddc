// Functions of gcc's that need no header, its attributes, and declarations in functions.
#include <stdio.h>

struct __attribute__((packed)) Packed {
    char c;
    int i;
};
__attribute__((noinline)) int plus(int x) { return x + 1; }
static inline __attribute__((always_inline)) int twice(int x) { return x * 2; }
int minus(int x) __attribute__((pure));
int minus(int x) { return x - 1; }
__attribute__((hot, flatten)) int sign(int x)
{
    if (x > 0)
        return 1;
    else if (x <= 0)
        return 2;
    __builtin_unreachable();
}

int main()
{
    int halved(int);
    extern int elsewhere;
    __global__ void later(int *);
    void (*kernel)(int *) = later;
    printf("%d %d %d\n", halved(8), elsewhere, kernel != nullptr);
    printf("%zu %d %d %d %d %d\n", sizeof(Packed), plus(1), twice(2), minus(3), sign(3), sign(-1));
    int x = 5;
    printf("%d", __sync_fetch_and_add(&x, 3));
    printf(" %d", __sync_sub_and_fetch(&x, 2));
    printf(" %d", __sync_fetch_and_or(&x, 16));
    printf(" %d", __sync_bool_compare_and_swap(&x, 22, 7));
    printf(" %d", __sync_val_compare_and_swap(&x, 7, 8));
    __sync_synchronize();
    printf(" %d", __sync_lock_test_and_set(&x, 1));
    __sync_lock_release(&x);
    printf(" %d", __atomic_add_fetch(&x, 2, __ATOMIC_SEQ_CST));
    __atomic_store_n(&x, 9, __ATOMIC_RELEASE);
    printf(" %d", __atomic_exchange_n(&x, 10, __ATOMIC_ACQ_REL));
    int expected = 10;
    bool changed = __atomic_compare_exchange_n(&x, &expected, 12, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf(" %d %d\n", changed, __atomic_load_n(&x, __ATOMIC_RELAXED));
    unsigned v = 0xf0;
    printf("%d %d %d %d %d\n", __builtin_popcount(v), __builtin_clz(v), __builtin_ctz(v), __builtin_ffs(v), __builtin_parity(7));
    printf("%d %d %d\n", __builtin_popcountll(1ull << 40), __builtin_clzll(1), __builtin_ffsll(1ll << 40));
    printf("%x %lx %x\n", __builtin_bswap32(0x12345678), (unsigned long)__builtin_bswap64(0x1122334455667788), __builtin_bswap16(0x1234));
    int r;
    bool over = __builtin_add_overflow(2147483647, 1, &r);
    printf("%d %d", over, r);
    over = __builtin_mul_overflow(-1000, 1000, &r);
    printf(" %d %d", over, r);
    size_t s;
    over = __builtin_mul_overflow((size_t)1 << 40, (size_t)1 << 30, &s);
    printf(" %d", over);
    unsigned u;
    over = __builtin_sub_overflow(3, 5, &u);
    printf(" %d %u\n", over, u);
    if (__builtin_expect(v != 0, 1))
        printf("%g %g %d %zu %d\n", __builtin_fabs(-2.5), __builtin_powi(2.0, -3), __builtin_constant_p(5), __builtin_strlen("abc"),
               __builtin_isnan(__builtin_nan("")));
    switch (v) {
    case 0xf0:
        v++;
        __attribute__((fallthrough));
    default:
        v += 10;
    }
    printf("%u\n", v);
    fflush(stdout);
    __builtin_trap();
}
int halved(int x) { return x / 2; }
int elsewhere = 9;
__global__ void later(int *p) { *p = 1; }
