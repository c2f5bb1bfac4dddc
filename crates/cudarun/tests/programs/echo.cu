// Arguments and standard input.
#include <cstdio>
#include <cstring>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) printf("%d: %s (%zu)\n", i, argv[i], strlen(argv[i]));
    int number, sum = 0;
    while (scanf("%d", &number) == 1) sum += number;
    fprintf(stderr, "sum %d\n", sum);
    return argc;
}
