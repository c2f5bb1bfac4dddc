// NULL and offsetof; size_t and ptrdiff_t are the compiler's.
#pragma once
#ifndef NULL
#define NULL 0
#endif
#define offsetof(type, member) ((size_t)((char *)&((type *)4096)->member - (char *)4096))
