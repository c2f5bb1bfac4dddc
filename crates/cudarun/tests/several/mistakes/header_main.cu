#include "header.h"

int main() { return in_header(variable_in_header); }
