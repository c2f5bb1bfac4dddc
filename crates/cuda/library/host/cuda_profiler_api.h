// Where a profiler is to look: here everything is looked at.
#pragma once
#include "cuda_runtime_api.h"
