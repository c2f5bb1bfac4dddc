// Blocks of bytes, and strings that end at a zero.
#pragma once
#include <stddef.h>
#include <strings.h>
extern "C" {
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *one, const void *two, size_t count);
void *memchr(const void *text, int byte, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t count);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t most);
int strcmp(const char *one, const char *two);
int strcoll(const char *one, const char *two);
int strncmp(const char *one, const char *two, size_t most);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);
char *strstr(const char *text, const char *part);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strpbrk(const char *text, const char *set);
char *strtok(char *text, const char *delimiters);
char *strtok_r(char *text, const char *delimiters, char **place);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);
char *strerror(int number);
}
