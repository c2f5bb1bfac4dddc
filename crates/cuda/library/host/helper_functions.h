// What most of NVIDIA's samples include: timers, flags, images and comparisons.
#ifndef COMMON_HELPER_FUNCTIONS_H_
#define COMMON_HELPER_FUNCTIONS_H_
#include <assert.h>
#include <exception.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include <helper_image.h>
#include <helper_string.h>
#include <helper_timer.h>
#endif
