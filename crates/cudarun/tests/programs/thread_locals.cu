// Each thread has its own of a `thread_local` variable, from its first use to its end; g++ prints the same.
#include <future>
#include <iostream>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>
struct Loud {
    int id;
    explicit Loud(int i) : id(i) { std::cout << "+" << id << "\n"; }
    ~Loud() { std::cout << "-" << id << "\n"; }
};
thread_local int counter = 5;
thread_local std::vector<int> list{1, 2};
static int computed()
{
    std::cout << "computed\n";
    return 5;
}
thread_local int lazy = computed();
struct Numbered {
    static thread_local int last;
    int id;
    Numbered() : id(++last) {}
    ~Numbered() { std::cout << "~" << id << "\n"; }
};
thread_local int Numbered::last = 0;
static int calls()
{
    static thread_local int n = 0;
    thread_local int m = 100;
    return ++n + ++m;
}
static void work(int id)
{
    counter += id;
    list.push_back(id);
    std::cout << id << ": " << counter << " " << list.size() << " " << calls() << " " << calls() << "\n";
}
static thread_local int values[3] = {1, 2, 3};
static void *posix(void *to)
{
    values[1] += *(int *)to;
    thread_local Loud loud(9);
    return (void *)(long)values[1];
}
int main()
{
    counter = 50;
    std::thread(work, 1).join();
    std::thread(work, 2).join();
    work(3);
    int *mine = &counter;
    std::thread([mine] {
        *mine += 1000;
        std::cout << counter << " " << *mine << "\n";
        thread_local Numbered a;
        thread_local Numbered b;
        std::cout << a.id << b.id << " " << lazy << "\n";
        std::thread([] { std::cout << calls() << Numbered::last << "\n"; }).join();
    }).join();
    std::cout << counter << "\n";
    std::cout << std::async(std::launch::async, [] { return ++counter; }).get() << counter << "\n";
    pthread_t t;
    void *result;
    pthread_create(&t, nullptr, posix, &values[2]);
    pthread_join(t, &result);
    std::cout << (long)result << values[1] << "\n";
    thread_local Loud last(1);
    std::cout << "end" << std::endl;
}
