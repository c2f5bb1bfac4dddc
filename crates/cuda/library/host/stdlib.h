// The heap, numbers from text, random numbers, sorting, the program's end and its environment.
#pragma once
#include <stddef.h>
#include <abs.inc>
#include <heap.inc>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1
typedef int (*__compare_function)(const void *, const void *);
typedef void (*__exit_function)(void);
typedef struct {
    int quot;
    int rem;
} div_t;
typedef struct {
    long quot;
    long rem;
} ldiv_t;
typedef struct {
    long long quot;
    long long rem;
} lldiv_t;
extern "C" {
[[noreturn]] void exit(int code);
[[noreturn]] void _Exit(int code);
[[noreturn]] void quick_exit(int code);
[[noreturn]] void abort(void);
int atexit(__exit_function function);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
int putenv(char *assignment);
int system(const char *command);
int mkstemp(char *name);
int rand(void);
void srand(unsigned seed);
int rand_r(unsigned *seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
double erand48(unsigned short *state);
long lrand48(void);
long nrand48(unsigned short *state);
long mrand48(void);
long jrand48(unsigned short *state);
void srand48(long seed);
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
void qsort(void *base, size_t count, size_t size, __compare_function compare);
void *bsearch(const void *key, const void *base, size_t count, size_t size, __compare_function compare);
}
inline div_t div(int x, int y)
{
    div_t result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}
inline ldiv_t ldiv(long x, long y)
{
    ldiv_t result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}
inline lldiv_t lldiv(long long x, long long y)
{
    lldiv_t result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}
inline ldiv_t div(long x, long y) { return ldiv(x, y); }
inline lldiv_t div(long long x, long long y) { return lldiv(x, y); }
