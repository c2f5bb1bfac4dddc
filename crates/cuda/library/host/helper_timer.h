// Stop watches of NVIDIA's samples, in milliseconds, over gettimeofday.
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_
#include <stdlib.h>
#include <exception.h>
#include <sys/time.h>
#include <ctime>

class StopWatchInterface {
public:
    StopWatchInterface() {}
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    // Of all runs since the last reset, with that which is not over yet.
    virtual float getTime() = 0;
    // Of a run that is over.
    virtual float getAverageTime() = 0;
};
class StopWatchLinux : public StopWatchInterface {
    timeval started = {};
    float total = 0;
    int runs = 0;
    bool running = false;
    float elapsed()
    {
        timeval now, past;
        gettimeofday(&now, 0);
        timersub(&now, &started, &past);
        return float(1000.0 * past.tv_sec + 0.001 * past.tv_usec);
    }

public:
    void start()
    {
        gettimeofday(&started, 0);
        running = true;
    }
    void stop()
    {
        total += elapsed();
        running = false;
        ++runs;
    }
    void reset()
    {
        total = 0;
        runs = 0;
        if (running)
            gettimeofday(&started, 0);
    }
    float getTime() { return running ? total + elapsed() : total; }
    float getAverageTime() { return runs > 0 ? total / runs : 0; }
};

// Each takes the address of a timer, and does nothing where there is none.
inline bool sdkCreateTimer(StopWatchInterface **timer_interface)
{
    *timer_interface = new StopWatchLinux();
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer_interface)
{
    delete *timer_interface;
    *timer_interface = NULL;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer_interface)
{
    if (*timer_interface)
        (*timer_interface)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer_interface)
{
    if (*timer_interface)
        (*timer_interface)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer_interface)
{
    if (*timer_interface)
        (*timer_interface)->reset();
    return true;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer_interface)
{
    return *timer_interface ? (*timer_interface)->getAverageTime() : 0;
}
inline float sdkGetTimerValue(StopWatchInterface **timer_interface)
{
    return *timer_interface ? (*timer_interface)->getTime() : 0;
}
#endif
