// Limits, infinities and values that are no numbers, as macros, as templates, and as initialisers.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <limits>

const float lowest = -INFINITY;
constexpr double largest = std::numeric_limits<double>::max();

int main() {
    float best = lowest;
    for (float x : {1.0f, 3.0f, 2.0f}) best = fmaxf(best, x);
    printf("%g %d %d\n", best, std::isnan(NAN), std::isinf(HUGE_VAL));
    printf("%g %g %g\n", std::numeric_limits<float>::max(), std::numeric_limits<float>::epsilon(), FLT_MIN);
    printf("%g %g %d\n", largest, std::numeric_limits<double>::infinity(), std::isnan(std::numeric_limits<float>::quiet_NaN()));
    return 0;
}
