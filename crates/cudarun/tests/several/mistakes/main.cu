#include "header.h"
#include <cstdio>

int missing(int value);
int overloaded(int value);
int hidden();
int c_function(int value);
float other_type(int value);
extern int count;
template <class T> T templated(T value);

int main()
{
    printf("%d\n", missing(1));
    printf("%d %d\n", overloaded(2), hidden());
    printf("%d\n", c_function(3));
    printf("%g\n", other_type(4));
    printf("%d\n", count);
    printf("%d\n", templated(5));
    return 0;
}
