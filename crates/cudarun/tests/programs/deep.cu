// Calls within each other, as deep as the stack of a program under Linux has room for; then without an end.
#include <cstdio>

int depth(int n) {
    int a[8];
    a[n % 8] = n;
    return n == 0 ? 0 : 1 + depth(n - 1) + a[n % 8] * 0;
}

int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1) + 0 * n; }
int even(int n) { return n == 0 ? 1 : odd(n - 1) + 0 * n; }

int main() {
    printf("%d %d %d %d\n", depth(100), depth(5000), depth(50000), even(100000));
    printf("%d\n", depth(100000000));
    return 0;
}
