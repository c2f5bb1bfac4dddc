// Memory that is set to a floating-point number, of which each byte becomes the integer.
#include <cstdio>
#include <cstring>

template <class T> void ones(T (&all)[4])
{
    memset(all, 1.0f, sizeof all);
}

int main()
{
    float numbers[4];
    ones(numbers);
    printf("%g\n", numbers[0]);
    double zeros[4];
    memset(zeros, 0.0, sizeof zeros);
    int flags[4];
    memset(flags, 1, sizeof flags);
    printf("%g %#x\n", zeros[0], flags[0]);
}
