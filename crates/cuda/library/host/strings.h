// Strings without regard to case.
#pragma once
extern "C" {
int strcasecmp(const char *one, const char *two);
int strncasecmp(const char *one, const char *two, size_t most);
void bzero(void *to, size_t count);
}
// The number of the lowest bit that is set, from 1 on.
inline int ffsll(long long bits)
{
    int at = 1;
    for (unsigned long long left = bits; left; left >>= 1, at++)
        if (left & 1)
            return at;
    return 0;
}
inline int ffsl(long bits) { return ffsll(bits); }
inline int ffs(int bits) { return ffsll((unsigned)bits); }
