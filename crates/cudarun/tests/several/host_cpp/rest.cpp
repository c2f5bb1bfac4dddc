#include "shapes.h"

int third = note(3);
extern const int exported = 42;
int set = (shared_level += 2);

int note(int value)
{
    order[ordered++] = value;
    return value;
}

void fail(int code)
{
    calls();
    throw Problem{ code, "failed" };
}

int guarded(void (*what)(int), int code)
{
    try {
        what(code);
    } catch (const Problem &problem) {
        return problem.code;
    } catch (int number) {
        return -number;
    }
    return 0;
}

template <class T> T Stack<T>::pop()
{
    ++pops;
    T last = all.back();
    all.pop_back();
    return last;
}
template struct Stack<long>;

int tools::twice(int value) { return 2 * value; }
namespace tools {
int thrice(int value) { return 3 * value; }
}
extern "C" int plain(int value) { return value + limit; }
