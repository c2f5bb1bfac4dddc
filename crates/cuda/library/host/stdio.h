// Streams, formatted output and input, files by name.
#pragma once
#include <stdarg.h>
#include <stddef.h>
struct __stream;
typedef struct __stream FILE;
typedef long fpos_t;
typedef long off_t;
typedef long ssize_t;
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define stdin (__standard_stream(0))
#define stdout (__standard_stream(1))
#define stderr (__standard_stream(2))
extern "C" {
FILE *__standard_stream(int number);
int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int vprintf(const char *format, va_list list);
int vfprintf(FILE *stream, const char *format, va_list list);
int vsprintf(char *to, const char *format, va_list list);
int vsnprintf(char *to, size_t size, const char *format, va_list list);
int puts(const char *text);
int fputs(const char *text, FILE *stream);
int putchar(int byte);
int putc(int byte, FILE *stream);
int fputc(int byte, FILE *stream);
int scanf(const char *format, ...);
int fscanf(FILE *stream, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, va_list list);
int vfscanf(FILE *stream, const char *format, va_list list);
int vsscanf(const char *text, const char *format, va_list list);
int getchar(void);
int getc(FILE *stream);
int fgetc(FILE *stream);
int ungetc(int byte, FILE *stream);
char *fgets(char *to, int size, FILE *stream);
ssize_t getline(char **line, size_t *size, FILE *stream);
ssize_t getdelim(char **line, size_t *size, int end, FILE *stream);
FILE *fopen(const char *path, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *stream);
FILE *tmpfile(void);
int fclose(FILE *stream);
size_t fread(void *to, size_t size, size_t count, FILE *stream);
size_t fwrite(const void *from, size_t size, size_t count, FILE *stream);
int fflush(FILE *stream);
int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
void setbuf(FILE *stream, char *buffer);
int fseek(FILE *stream, long by, int whence);
int fseeko(FILE *stream, off_t by, int whence);
long ftell(FILE *stream);
off_t ftello(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *stream, fpos_t *place);
int fsetpos(FILE *stream, const fpos_t *place);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
int fileno(FILE *stream);
void perror(const char *before);
int remove(const char *path);
int rename(const char *from, const char *to);
}
