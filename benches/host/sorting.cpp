// Sorts random numbers, and looks for others among them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main(int argc, char **argv)
{
    if (argc == 1) return 0;
    const int times = atoi(argv[1]);
    std::mt19937 random(1);
    long found = 0;
    for (int pass = 0; pass < times; pass++) {
        std::vector<int> numbers(300000);
        for (int &one : numbers) one = random() % 1000000;
        std::sort(numbers.begin(), numbers.end());
        for (int i = 0; i < 300000; i++) found += std::binary_search(numbers.begin(), numbers.end(), int(random() % 1000000));
    }
    printf("%ld\n", found);
}
