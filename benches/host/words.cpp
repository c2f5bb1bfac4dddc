// Counts words by a hash table of strings, and prints the most frequent ones.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

int main(int argc, char **argv)
{
    if (argc == 1) return 0;
    const int times = atoi(argv[1]);
    std::unordered_map<std::string, int> counts;
    unsigned state = 1;
    for (int i = 0; i < 300000 * times; i++) {
        state = state * 1664525u + 1013904223u;
        std::string word = "w" + std::to_string((state >> 20) * (state >> 24) % 5000);
        counts[word]++;
    }
    std::vector<std::pair<int, std::string>> all;
    for (const auto &[word, count] : counts) all.push_back({count, word});
    std::sort(all.rbegin(), all.rend());
    for (int i = 0; i < 3; i++) std::cout << all[i].second << ' ' << all[i].first << '\n';
}
