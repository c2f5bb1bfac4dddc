// The time of day in microseconds.
#pragma once
#include <sys/types.h>
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};
extern "C" {
int gettimeofday(struct timeval *place, void *zone);
}
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timeradd(a, b, sum) \
    do { \
        (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec; \
        (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
        if ((sum)->tv_usec >= 1000000) { \
            ++(sum)->tv_sec; \
            (sum)->tv_usec -= 1000000; \
        } \
    } while (0)
#define timersub(a, b, difference) \
    do { \
        (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec; \
        (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
        if ((difference)->tv_usec < 0) { \
            --(difference)->tv_sec; \
            (difference)->tv_usec += 1000000; \
        } \
    } while (0)
