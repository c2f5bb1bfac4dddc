#include <cstdio>
struct Point {
    float x, y;
    float sum() const { return x + y; }
};
float other();
int main()
{
    printf("%g %g\n", Point{ 1, 2 }.sum(), other());
    return 0;
}
