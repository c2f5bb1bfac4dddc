// std::array and std::pair on both sides; a class with its own `operator new`, whose objects both sides have.
#include <array>
#include <cstdio>
#include <cuda/std/array>
#include <utility>

struct Point {
    std::array<float, 3> at;
};
class Managed {
  public:
    void *operator new(size_t bytes)
    {
        void *memory;
        cudaMallocManaged(&memory, bytes);
        return memory;
    }
    void operator delete(void *memory)
    {
        printf("freed\n");
        cudaFree(memory);
    }
};
struct Counted : Managed {
    int count = 0;
};

__global__ void sum(std::array<int, 4> values, Point point, std::pair<int, double> pair, Counted &counted)
{
    int all = 0;
    for (int value : values)
        all += value;
    cuda::std::array<int, 2> two{5, 6};
    two[1] += values.size();
    auto made = std::make_pair(1, 2.5f);
    printf("%d %g %d %d %g %g %d\n", all, point.at[2], two.front(), two.back(), pair.second, made.second, pair.first);
    counted.count += all;
}

int main()
{
    std::array<int, 4> values{1, 2, 3, 4};
    Point point{{1, 2, 3.5f}};
    Counted *counted = new Counted;
    sum<<<1, 1>>>(values, point, std::make_pair(7, 0.25), *counted);
    cudaDeviceSynchronize();
    printf("%d\n", counted->count);
    delete counted;
}
