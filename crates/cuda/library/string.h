// memcpy, memmove and memset are the compiler's.
#pragma once
