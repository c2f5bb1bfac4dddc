// Flags of a command line, and files of data, as the programs of NVIDIA's samples look for them.
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <fstream>
#include <string>
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(target, length, source) strcpy(target, source)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(file) ((file) == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

// Where a text begins after its delimiters; one with at most a character after them begins at once.
inline int stringRemoveDelimiter(char delimiter, const char *string)
{
    int start = 0;
    while (string[start] == delimiter)
        ++start;
    return start + 1 >= (int)strlen(string) ? 0 : start;
}
// Where the ending after the last dot begins, or 0.
inline int getFileExtension(char *filename, char **extension)
{
    char *dot = strrchr(filename, '.');
    bool ends = dot && dot != filename;
    *extension = ends ? dot + 1 : NULL;
    return ends ? int(dot + 1 - filename) : 0;
}

// What follows a flag in an argument such as `--name=7`, and nothing where the argument has another name. As there, the argument
// only needs to begin with the name.
inline const char *__samples_flag(const char *argument, const char *name)
{
    const char *text = argument + stringRemoveDelimiter('-', argument);
    size_t length = strlen(name);
    return strncasecmp(text, name, length) ? NULL : text + length;
}
// What follows in the last argument that has the flag; a `=` is passed by.
inline const char *__samples_value(int argc, const char **argv, const char *name)
{
    const char *value = NULL;
    for (int i = 1; i < argc; ++i)
        if (const char *rest = __samples_flag(argv[i], name))
            value = *rest == '=' ? rest + 1 : rest;
    return value;
}
inline bool checkCmdLineFlag(const int argc, const char **argv, const char *string_ref)
{
    for (int i = 1; i < argc; ++i) {
        const char *rest = __samples_flag(argv[i], string_ref);
        if (rest && (*rest == '\0' || *rest == '='))
            return true;
    }
    return false;
}
template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *string_ref, T *value)
{
    for (int i = 1; i < argc; ++i)
        if (const char *rest = __samples_flag(argv[i], string_ref)) {
            if (*rest)
                *value = (T)atoi(*rest == '=' ? rest + 1 : rest);
            return true;
        }
    return false;
}
inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *string_ref)
{
    const char *value = __samples_value(argc, argv, string_ref);
    return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *string_ref)
{
    const char *value = __samples_value(argc, argv, string_ref);
    return value ? (float)atof(value) : 0;
}
inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *string_ref, char **string_retval)
{
    *string_retval = NULL;
    for (int i = 1; i < argc; ++i)
        if (const char *rest = __samples_flag(argv[i], string_ref))
            *string_retval = (char *)(*rest ? rest + 1 : rest);
    return *string_retval != NULL;
}

// Path of a file in the program's folder or in `data` there, to be freed, or null. The samples also look through the tree of
// folders that they come in, which is above what a program can reach here.
inline char *sdkFindFilePath(const char *filename, const char *)
{
    for (const char *folder : {"./", "./data/"}) {
        char *path = (char *)malloc(strlen(folder) + strlen(filename) + 1);
        strcat(strcpy(path, folder), filename);
        if (FILE *file = fopen(path, "rb")) {
            fclose(file);
            return path;
        }
        free(path);
    }
    printf("\nerror: sdkFindFilePath: file <%s> not found!\n", filename);
    return NULL;
}
#endif
