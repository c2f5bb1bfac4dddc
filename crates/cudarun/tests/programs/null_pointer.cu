// The host reads through a null pointer.
#include <cstdio>

int main() {
    printf("before\n");
    int *p = nullptr;
    printf("%d\n", *p);
    return 0;
}
