// Strings without regard to case.
#pragma once
extern "C" {
int strcasecmp(const char *one, const char *two);
int strncasecmp(const char *one, const char *two, size_t most);
void bzero(void *to, size_t count);
}
