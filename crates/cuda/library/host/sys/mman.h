// Pages of memory.
#pragma once
#include <stddef.h>
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_NORESERVE 0x4000
#define MAP_LOCKED 0x2000
#define MAP_POPULATE 0x8000
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_HUGEPAGE 14
extern "C" {
void *mmap(void *at, size_t bytes, int protection, int flags, int descriptor, off_t offset);
int munmap(void *at, size_t bytes);
int mprotect(void *at, size_t bytes, int protection);
int madvise(void *at, size_t bytes, int advice);
int msync(void *at, size_t bytes, int flags);
int mlock(const void *at, size_t bytes);
int munlock(const void *at, size_t bytes);
}
