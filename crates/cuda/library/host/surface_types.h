// Types of surfaces for the host's side.
#pragma once
#include "driver_types.h"
