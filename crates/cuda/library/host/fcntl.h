// Opening files by descriptors.
#pragma once
#include <sys/types.h>
#define O_RDONLY 00
#define O_WRONLY 01
#define O_RDWR 02
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_CLOEXEC 02000000
extern "C" {
int open(const char *path, int flags, ...);
int creat(const char *path, mode_t mode);
}
