// Where a profiler is to look, by the driver API: its functions are in cuda.h here.
#pragma once
#include <cuda.h>
