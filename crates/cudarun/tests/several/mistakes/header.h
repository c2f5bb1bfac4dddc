#pragma once
#include <cstdio>
int in_header(int value) { return value + 1; }
int variable_in_header = 3;
