// <chrono>, <ratio>: what does not depend on the time.
#include <chrono>
#include <iostream>

using namespace std::chrono;
using namespace std::chrono_literals;

int main()
{
    auto start = steady_clock::now(), before = start;
    auto stop = high_resolution_clock::now();
    duration<double> spent = steady_clock::now() - start;
    std::cout << (spent.count() >= 0) << (steady_clock::now() >= before) << (stop.time_since_epoch().count() > 0) << '\n';
    milliseconds ms(1500);
    seconds s = duration_cast<seconds>(ms);
    std::cout << ms.count() << ' ' << s.count() << ' ' << duration_cast<microseconds>(ms).count() << ' ' << nanoseconds(ms).count() << '\n';
    duration<double, std::milli> f = 1.5s;
    duration<float> g = ms;
    std::cout << f.count() << ' ' << g.count() << ' ' << duration<double, std::micro>(ms).count() << '\n';
    auto sum = 2s + 300ms;
    std::cout << sum.count() << ' ' << (sum > 2s) << (1000ms == 1s) << (1min != 61s) << ' ' << (2h - 30min).count() << ' ' << (7s / 2).count() << ' '
              << (7s / 2s) << ' ' << (7s % 2s).count() << ' ' << (3 * 5ms).count() << ' ' << (5ms * 2.5).count() << ' ' << (-5us).count() << '\n';
    std::cout << duration_cast<minutes>(3661s).count() << ' ' << duration_cast<hours>(3661s).count() << ' ' << duration_cast<milliseconds>(2.7ms).count()
              << ' ' << floor<seconds>(-1500ms).count() << ' ' << ceil<seconds>(1500ms).count() << ' ' << round<seconds>(1500ms).count() << '\n';
    steady_clock::time_point t{};
    t += 5s;
    auto u = t + 250ms;
    std::cout << (u - t).count() << ' ' << (u > t) << (t < u) << (t == u) << ' ' << duration_cast<milliseconds>(u.time_since_epoch()).count() << ' '
              << time_point_cast<seconds>(u).time_since_epoch().count() << '\n';
    system_clock::time_point day = system_clock::from_time_t(86400);
    std::cout << system_clock::to_time_t(day) << ' ' << (system_clock::now() > day) << ' ' << steady_clock::is_steady << '\n';
    s += 4s;
    s -= 1s;
    s *= 2;
    ++s;
    std::cout << s.count() << ' ' << seconds::zero().count() << ' ' << seconds::max().count() << ' ' << milliseconds::period::den << ' '
              << std::ratio<6, -4>::num << std::ratio_multiply<std::ratio<1, 3>, std::ratio<3, 4>>::den << '\n';
    typedef std::chrono::duration<int, std::ratio<1, 60>> frames;
    std::cout << duration_cast<frames>(500ms).count() << ' ' << duration_cast<milliseconds>(frames(7)).count() << ' ' << (frames(1) + 1ms).count() << '\n';
}
