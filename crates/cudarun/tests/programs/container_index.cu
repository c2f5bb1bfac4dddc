// An index that a container does not have is reported, and the program continues as it does with g++.
#include <cassert>
#include <iostream>
#include <thread>
#include <vector>
int main() {
    std::vector<int> a, b; a.reserve(10); b.reserve(10);
    for (int i = 0; i < 10; i++) a.push_back(i);
    for (int i = 0; i < 10; i++) b[i] = a[i] + 1;
    assert(b[9] == 10);
    std::cout << "COMPLETED " << b[9] << ' ' << b.size() << '\n';
    std::thread t([] {}); t.join();
}
