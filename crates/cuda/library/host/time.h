// Moments, durations and dates. The time zone is UTC.
#pragma once
#include <stddef.h>
#include <timespec.inc>
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIME_UTC 1
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
extern "C" {
time_t time(time_t *place);
clock_t clock(void);
double difftime(time_t after, time_t before);
int clock_gettime(clockid_t which, struct timespec *place);
int clock_getres(clockid_t which, struct timespec *place);
int timespec_get(struct timespec *place, int base);
int nanosleep(const struct timespec *time, struct timespec *rest);
struct tm *gmtime(const time_t *moment);
struct tm *localtime(const time_t *moment);
struct tm *gmtime_r(const time_t *moment, struct tm *place);
struct tm *localtime_r(const time_t *moment, struct tm *place);
time_t mktime(struct tm *date);
time_t timegm(struct tm *date);
char *asctime(const struct tm *date);
char *ctime(const time_t *moment);
size_t strftime(char *to, size_t size, const char *format, const struct tm *date);
}
