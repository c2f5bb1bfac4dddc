// What folders hold.
#pragma once
#include <stddef.h>
#include <sys/types.h>
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define MAXNAMLEN 255
struct dirent {
    ino_t d_ino;
    off_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};
typedef struct __dirstream DIR;
extern "C" {
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
void rewinddir(DIR *folder);
int closedir(DIR *folder);
}
