// Arguments of `...`: a list is the address of the next one's cell of 8 bytes.
#pragma once
typedef char *va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) ((void)(list))
#define va_copy(to, from) ((void)((to) = (from)))
