// The primes below five million.
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
    if (argc == 1) return 0;
    const int times = atoi(argv[1]);
    const int n = 5000000;
    long count = 0;
    for (int pass = 0; pass < times; pass++) {
        std::vector<char> composite(n);
        for (int i = 2; i < n; i++) {
            if (composite[i]) continue;
            count++;
            for (long j = (long)i * i; j < n; j += i) composite[j] = 1;
        }
    }
    printf("%ld\n", count);
}
