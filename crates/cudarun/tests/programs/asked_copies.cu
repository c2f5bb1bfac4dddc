// Classes that define how they are moved and ask for the copy that they would have had (`= default`), or the other way round.
#include <cstdio>
#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>

struct Counted {
    int value;
    Counted(int value) : value(value) {}
    Counted(const Counted &) = default;
    Counted(Counted &&other) : value(std::exchange(other.value, -1)) {}
    Counted &operator=(const Counted &) = default;
    Counted &operator=(Counted &&other)
    {
        value = std::exchange(other.value, -2);
        return *this;
    }
};

// Copied deeply, moved by members.
struct Owner {
    std::unique_ptr<int> held;
    explicit Owner(int value) : held(new int(value)) {}
    Owner(const Owner &other) : held(new int(*other.held + 100)) {}
    Owner(Owner &&) = default;
    Owner &operator=(const Owner &other)
    {
        held.reset(new int(*other.held + 200));
        return *this;
    }
    Owner &operator=(Owner &&) = default;
};

template <class T> struct Span {
    T *data;
    int size;
    __host__ __device__ Span(T *data, int size) : data(data), size(size) {}
    __host__ __device__ Span(const Span &) = default;
    __host__ __device__ Span(Span &&other) : data(other.data), size(other.size) { other.size = 0; }
};

struct Whole {
    Counted counted;
    Owner owner;
};

__global__ void fill(Span<int> span)
{
    Span<int> copy = span;
    if (threadIdx.x < copy.size)
        copy.data[threadIdx.x] = threadIdx.x + span.size;
}

int main()
{
    Counted a(1), b(a), c(std::move(a));
    printf("%d %d %d\n", a.value, b.value, c.value);
    a = b;
    b = std::move(c);
    const Counted fixed(9);
    c = fixed;
    printf("%d %d %d\n", a.value, b.value, c.value);

    Owner first(1), second(first), third(std::move(first));
    printf("%d %d %d\n", first.held == nullptr, *second.held, *third.held);
    first = second;
    second = std::move(third);
    printf("%d %d %d\n", *first.held, *second.held, third.held == nullptr);

    Whole one{Counted(5), Owner(6)}, two(one), three(std::move(one));
    printf("%d %d %d %d\n", one.counted.value, two.counted.value, *two.owner.held, *three.owner.held);
    one = two;
    two = std::move(three);
    printf("%d %d %d %d\n", *one.owner.held, *two.owner.held, two.counted.value, three.counted.value);

    std::vector<Counted> all;
    for (int i = 0; i < 5; i++)
        all.push_back(i % 2 ? Counted(i) : b);
    all.insert(all.begin(), c);
    for (const Counted &counted : all)
        printf("%d ", counted.value);
    auto keeps = [b] { return b.value; };
    printf("%d\n", keeps());

    int *device, host[32];
    cudaMalloc(&device, sizeof(host));
    Span<int> span(device, 32);
    fill<<<1, 32>>>(span);
    cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], host[31], span.size);
    cudaFree(device);
}
