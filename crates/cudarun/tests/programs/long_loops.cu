// Conditions that lead over more code than the engine's short jumps reach. g++ prints the same.
#include <cstdio>
#define S1(n) v = v + n;
#define S8(n) S1(n) S1(n + 1) S1(n + 2) S1(n + 3) S1(n + 4) S1(n + 5) S1(n + 6) S1(n + 7)
#define S64(n) S8(n) S8(n + 1) S8(n + 2) S8(n + 3) S8(n + 4) S8(n + 5) S8(n + 6) S8(n + 7)
#define S512(n) S64(n) S64(n + 1) S64(n + 2) S64(n + 3) S64(n + 4) S64(n + 5) S64(n + 6) S64(n + 7)
#define S4096(n) S512(n) S512(n + 1) S512(n + 2) S512(n + 3) S512(n + 4) S512(n + 5) S512(n + 6) S512(n + 7)
int main()
{
    volatile int v = 0;
    volatile int x = 0;
    int last;
    do {
        last = x;
        if (!(last & 255)) {
            S4096(1)
            S4096(2)
            S4096(3)
            S4096(4)
        }
        x = last + 1;
    } while (last < 300);
    printf("%d\n", v);
}
