// signal and raise: a handler is called where the program raises its signal, and nothing else sends one.
#pragma once
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
extern "C" {
[[noreturn]] void abort(void);
[[noreturn]] void _Exit(int code);
int *__errno_location(void);
}
inline __sighandler_t __signal_handlers[65];
inline __sighandler_t signal(int number, __sighandler_t handler)
{
    if (number < 1 || number > 64 || number == SIGKILL || number == SIGSTOP) {
        *__errno_location() = 22;
        return SIG_ERR;
    }
    __sighandler_t before = __signal_handlers[number];
    __signal_handlers[number] = handler;
    return before;
}
inline int raise(int number)
{
    if (number < 1 || number > 64) {
        *__errno_location() = 22;
        return -1;
    }
    __sighandler_t handler = __signal_handlers[number];
    if (handler == SIG_IGN || handler == SIG_DFL && (number == SIGCHLD || number == SIGCONT))
        return 0;
    if (handler != SIG_DFL) {
        handler(number);
        return 0;
    }
    if (number == SIGABRT)
        abort();
    _Exit(128 + number);
}
