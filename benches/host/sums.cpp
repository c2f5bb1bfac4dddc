// A random sequence: one multiplication, one addition and one exclusive or a number.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    if (argc == 1) return 0;
    const int times = atoi(argv[1]);
    uint64_t state = 1, sum = 0;
    for (long i = 0; i < 20000000L * times; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum ^= state >> 33;
    }
    printf("%llu\n", (unsigned long long)sum);
}
