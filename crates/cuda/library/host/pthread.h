// POSIX threads for host code: the function runs where the thread is made, to its end. Who waits then for what only another thread
// could do would wait forever: a mistake that is reported.
#pragma once
#include <sys/types.h>
#include <time.h>
#include <stdlib.h>
#include "assertion.inc"
#ifdef __cplusplus
extern "C" {
#endif
int __cudaBeginThread(void);
int __cudaEndThread(int callback);
#ifdef __cplusplus
}
#endif
typedef unsigned long pthread_t;
typedef struct {
    int detached;
} pthread_attr_t;
typedef struct {
    int kind;
} pthread_mutexattr_t;
typedef struct {
    int depth;
    int kind;
} pthread_mutex_t;
typedef struct {
    int unused;
} pthread_condattr_t;
typedef struct {
    int unused;
} pthread_cond_t;
typedef struct {
    int unused;
} pthread_barrierattr_t;
typedef struct {
    unsigned count;
} pthread_barrier_t;
typedef struct {
    int readers;
    int writer;
} pthread_rwlock_t;
typedef int pthread_rwlockattr_t;
typedef pthread_mutex_t pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned pthread_key_t;
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_INITIALIZER {0, 0}
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_RWLOCK_INITIALIZER {0, 0}
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_BARRIER_SERIAL_THREAD -1
#define PTHREAD_CANCELED ((void *)-1)
#define __PTHREADS_MOST 4096
#define __PTHREAD_KEYS_MOST 128
struct __pthreads {
    pthread_t last, current;
    void *results[__PTHREADS_MOST];
    char joined[__PTHREADS_MOST];
    pthread_key_t keys;
    void *values[__PTHREAD_KEYS_MOST];
};
inline struct __pthreads *__pthreads_all(void)
{
    static struct __pthreads all;
    return &all;
}
#ifdef __cplusplus
// What pthread_exit() throws, up to where its thread began.
struct __pthread_end {
    void *result;
};
[[noreturn]] inline void pthread_exit(void *result)
{
    // The thread of main() ends the program: all others have ended.
    if (__pthreads_all()->current == 0)
        exit(0);
    throw __pthread_end{result};
}
#endif
inline int pthread_create(pthread_t *thread, const pthread_attr_t *, void *(*start)(void *), void *argument)
{
    struct __pthreads *all = __pthreads_all();
    if (all->last + 1 >= __PTHREADS_MOST)
        return 11; // EAGAIN
    pthread_t number = ++all->last, before = all->current;
    *thread = number;
    all->current = number;
    int callback = __cudaBeginThread();
#ifdef __cplusplus
    __library_begin_thread();
    try {
        all->results[number] = start(argument);
    } catch (const __pthread_end &end) {
        all->results[number] = end.result;
    }
    __library_end_thread();
#else
    all->results[number] = start(argument);
#endif
    __cudaEndThread(callback);
    all->current = before;
    return 0;
}
inline int pthread_join(pthread_t thread, void **result)
{
    struct __pthreads *all = __pthreads_all();
    if (thread == 0 || thread > all->last)
        return 3; // ESRCH
    if (all->joined[thread])
        return 22; // EINVAL
    all->joined[thread] = 1;
    if (result)
        *result = all->results[thread];
    return 0;
}
inline int pthread_detach(pthread_t thread)
{
    __pthreads_all()->joined[thread < __PTHREADS_MOST ? thread : 0] = 1;
    return 0;
}
inline pthread_t pthread_self(void)
{
    return __pthreads_all()->current;
}
inline int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}
inline int pthread_attr_init(pthread_attr_t *attributes)
{
    attributes->detached = 0;
    return 0;
}
inline int pthread_attr_destroy(pthread_attr_t *)
{
    return 0;
}
inline int pthread_attr_setdetachstate(pthread_attr_t *attributes, int detached)
{
    attributes->detached = detached;
    return 0;
}
inline int pthread_attr_setstacksize(pthread_attr_t *, size_t)
{
    return 0;
}
inline int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
    attributes->kind = PTHREAD_MUTEX_DEFAULT;
    return 0;
}
inline int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
    attributes->kind = kind;
    return 0;
}
inline int pthread_mutexattr_destroy(pthread_mutexattr_t *)
{
    return 0;
}
inline int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    mutex->depth = 0;
    mutex->kind = attributes ? attributes->kind : PTHREAD_MUTEX_DEFAULT;
    return 0;
}
inline int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return mutex->depth ? 16 : 0; // EBUSY
}
inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (mutex->depth > 0 && mutex->kind == PTHREAD_MUTEX_ERRORCHECK)
        return 35; // EDEADLK
    __library_check(mutex->depth == 0 || mutex->kind == PTHREAD_MUTEX_RECURSIVE,
                    "pthread_mutex_lock() of a mutex that is locked already waits forever");
    mutex->depth++;
    return 0;
}
inline int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    if (mutex->depth > 0 && mutex->kind != PTHREAD_MUTEX_RECURSIVE)
        return 16; // EBUSY
    mutex->depth++;
    return 0;
}
inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    __library_check(mutex->depth > 0, "pthread_mutex_unlock() of a mutex that is not locked");
    mutex->depth--;
    return 0;
}
inline int pthread_spin_init(pthread_spinlock_t *lock, int)
{
    return pthread_mutex_init(lock, 0);
}
inline int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    return pthread_mutex_destroy(lock);
}
inline int pthread_spin_lock(pthread_spinlock_t *lock)
{
    return pthread_mutex_lock(lock);
}
inline int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    return pthread_mutex_trylock(lock);
}
inline int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    return pthread_mutex_unlock(lock);
}
inline int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *)
{
    lock->readers = 0;
    lock->writer = 0;
    return 0;
}
inline int pthread_rwlock_destroy(pthread_rwlock_t *)
{
    return 0;
}
inline int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    __library_check(!lock->writer, "pthread_rwlock_rdlock() of a lock that is held for writing waits forever");
    lock->readers++;
    return 0;
}
inline int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    __library_check(!lock->writer && !lock->readers, "pthread_rwlock_wrlock() of a lock that is held waits forever");
    lock->writer = 1;
    return 0;
}
inline int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    __library_check(lock->writer || lock->readers, "pthread_rwlock_unlock() of a lock that is not held");
    if (lock->writer)
        lock->writer = 0;
    else
        lock->readers--;
    return 0;
}
inline int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *)
{
    return 0;
}
inline int pthread_cond_destroy(pthread_cond_t *)
{
    return 0;
}
inline int pthread_cond_signal(pthread_cond_t *)
{
    return 0;
}
inline int pthread_cond_broadcast(pthread_cond_t *)
{
    return 0;
}
inline int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *)
{
    __library_check(0, "pthread_cond_wait() waits forever: threads run one after the other here, so none is left to signal");
    return 0;
}
inline int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *)
{
    return 110; // ETIMEDOUT
}
inline int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *, unsigned count)
{
    if (count == 0)
        return 22; // EINVAL
    barrier->count = count;
    return 0;
}
inline int pthread_barrier_destroy(pthread_barrier_t *)
{
    return 0;
}
inline int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    __library_check(barrier->count == 1,
                    "pthread_barrier_wait() waits forever: threads run one after the other here, so no other arrives");
    return PTHREAD_BARRIER_SERIAL_THREAD;
}
inline int pthread_once(pthread_once_t *once, void (*run)(void))
{
    if (!*once) {
        *once = 1;
        run();
    }
    return 0;
}
inline int pthread_key_create(pthread_key_t *key, void (*)(void *))
{
    struct __pthreads *all = __pthreads_all();
    if (all->keys >= __PTHREAD_KEYS_MOST)
        return 11; // EAGAIN
    *key = all->keys++;
    return 0;
}
inline int pthread_key_delete(pthread_key_t)
{
    return 0;
}
// All threads run in one, so a value is every thread's.
inline int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= __pthreads_all()->keys)
        return 22; // EINVAL
    __pthreads_all()->values[key] = (void *)value;
    return 0;
}
inline void *pthread_getspecific(pthread_key_t key)
{
    return key < __pthreads_all()->keys ? __pthreads_all()->values[key] : 0;
}
inline int sched_yield(void)
{
    return 0;
}
