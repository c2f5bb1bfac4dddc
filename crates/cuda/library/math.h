// Constants of mathematics. The functions need no header: index.txt has them by name.
#pragma once
#include "math_macros.inc"
