// Options of the command line.
#pragma once
#include <option_variables.inc>
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};
extern "C" {
int getopt_long(int count, char *const *arguments, const char *options, const struct option *names, int *index);
int getopt_long_only(int count, char *const *arguments, const char *options, const struct option *names, int *index);
}
