#include "header.h"

int twice() { return in_header(1); }
