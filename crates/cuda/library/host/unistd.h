// What a program asks of its system.
#pragma once
#include <stddef.h>
#include <sys/types.h>
#include <option_variables.inc>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define _SC_CLK_TCK 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
extern "C" {
[[noreturn]] void _exit(int code);
ssize_t read(int descriptor, void *to, size_t count);
ssize_t write(int descriptor, const void *from, size_t count);
off_t lseek(int descriptor, off_t by, int whence);
int close(int descriptor);
int isatty(int descriptor);
int access(const char *path, int mode);
int unlink(const char *path);
int rmdir(const char *path);
int chdir(const char *path);
char *getcwd(char *to, size_t size);
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);
pid_t getpid(void);
pid_t getppid(void);
int getpagesize(void);
int gethostname(char *to, size_t size);
long sysconf(int name);
}
