// Host templates whose results and parameters are the host's alone, and the kernels that they launch; template arguments that are
// enumerators, of several scopes.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace steps {
enum class Step : unsigned char { Twice, Thrice = 3 };
}
namespace {
enum Sign { Plus, Minus = -1 };
}

template <class T, steps::Step S>
__global__ void scale(T *p) {
    p[threadIdx.x] *= S == steps::Step::Twice ? 2 : static_cast<int>(S);
}

template <Sign S, bool Twice>
__global__ void move(int *p) {
    p[threadIdx.x] += (S == Plus ? 1 : -1) * (Twice ? 2 : 1);
}

template <class T>
std::vector<T> down(const T *p, int n) {
    std::vector<T> all(n);
    cudaMemcpy(all.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return all;
}

template <steps::Step S, class T>
std::vector<T> scaled(const std::vector<T> &in) {
    T *p;
    cudaMalloc(&p, in.size() * sizeof(T));
    cudaMemcpy(p, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
    scale<T, S><<<1, in.size()>>>(p);
    auto all = down(p, static_cast<int>(in.size()));
    cudaFree(p);
    return all;
}

template <Sign S>
std::pair<std::string, int> moved(int from) {
    int *p;
    cudaMalloc(&p, sizeof(int));
    cudaMemcpy(p, &from, sizeof(int), cudaMemcpyHostToDevice);
    move<S, true><<<1, 1>>>(p);
    move<S, false><<<1, 1>>>(p);
    auto all = down(p, 1);
    cudaFree(p);
    return {S == Plus ? "plus" : "minus", all[0]};
}

template <steps::Step S>
cudaFuncAttributes attributes() {
    cudaFuncAttributes found{};
    cudaFuncGetAttributes(&found, scale<double, S>);
    return found;
}

int main() {
    for (int one : scaled<steps::Step::Thrice>(std::vector<int>{1, 2, 3})) printf("%d ", one);
    for (float one : scaled<steps::Step::Twice>(std::vector<float>{0.5f, 1.5f})) printf("%g ", one);
    auto plus = moved<Plus>(10);
    auto minus = moved<Minus>(10);
    printf("%s %d %s %d\n", plus.first.c_str(), plus.second, minus.first.c_str(), minus.second);
    printf("%d\n", attributes<steps::Step::Twice>().maxThreadsPerBlock);
}
