// Images in the formats PGM and PPM, files of numbers, and comparisons, as in NVIDIA's samples.
#ifndef COMMON_HELPER_IMAGE_H_
#define COMMON_HELPER_IMAGE_H_
#include <assert.h>
#include <exception.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include <helper_string.h>
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef __MIN_EPSILON_ERROR
#define __MIN_EPSILON_ERROR 1e-3f
#endif

// A byte of an image as an element, and back: of `float`, 255 is 1.
inline void __samples_convert(unsigned char from, unsigned char *to) { *to = from; }
inline void __samples_convert(unsigned char from, float *to) { *to = from / 255.0f; }
inline void __samples_convert(float from, unsigned char *to) { *to = (unsigned char)(from * 255.0f); }

inline bool __samples_failed(const char *what, const char *file, FILE *opened = NULL)
{
    fprintf(stderr, "%s%s\n", what, file);
    if (opened)
        fclose(opened);
    return false;
}
// The next number of an image's head; after `#`, the rest of the line is a comment.
inline bool __samples_number(FILE *file, unsigned *number)
{
    for (;;) {
        int c = fgetc(file);
        if (c == '#') {
            while (c != '\n' && c != EOF)
                c = fgetc(file);
        } else if (c < '0' || c > '9') {
            if (c == EOF || !isspace(c))
                return false;
        } else {
            ungetc(c, file);
            return fscanf(file, "%u", number) == 1;
        }
    }
}
// An image's bytes, to be freed, unless there is memory for them already; 1 or 3 channels.
inline bool __loadPPM(const char *file, unsigned char **data, unsigned int *w, unsigned int *h, unsigned int *channels)
{
    FILE *opened = fopen(file, "rb");
    if (!opened)
        return __samples_failed("__LoadPPM() : Failed to open file: ", file);
    char kind[3] = "";
    *channels = 0;
    if (fread(kind, 1, 2, opened) == 2 && kind[0] == 'P')
        *channels = kind[1] == '5' ? 1 : kind[1] == '6' ? 3 : 0;
    if (!*channels)
        return __samples_failed("__LoadPPM() : not an image of the kinds P5 and P6: ", file, opened);
    unsigned width, height, most;
    if (!__samples_number(opened, &width) || !__samples_number(opened, &height) || !__samples_number(opened, &most))
        return __samples_failed("__LoadPPM() : width, height or largest value is missing: ", file, opened);
    fgetc(opened);
    if (*data && (*w != width || *h != height))
        return __samples_failed("__LoadPPM() : the memory is for an image of another size: ", file, opened);
    size_t size = (size_t)width * height * *channels;
    bool own = !*data;
    if (own) {
        *data = (unsigned char *)malloc(size);
        *w = width;
        *h = height;
    }
    if (fread(*data, 1, size, opened) == size) {
        fclose(opened);
        return true;
    }
    if (own) {
        free(*data);
        *data = NULL;
    }
    return __samples_failed("__LoadPPM() : there are fewer bytes than the image has: ", file, opened);
}
inline bool __savePPM(const char *file, unsigned char *data, unsigned int w, unsigned int h, unsigned int channels)
{
    assert(data != NULL);
    assert(w > 0 && h > 0);
    if (channels != 1 && channels != 3)
        return __samples_failed("__savePPM() : an image has 1 or 3 channels: ", file);
    FILE *opened = fopen(file, "wb");
    if (!opened)
        return __samples_failed("__savePPM() : Opening file failed: ", file);
    size_t size = (size_t)w * h * channels;
    fprintf(opened, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', w, h);
    if (fwrite(data, 1, size, opened) != size)
        return __samples_failed("__savePPM() : Writing data failed: ", file, opened);
    return fclose(opened) == 0;
}

template <class T> inline bool sdkLoadPGM(const char *file, T **data, unsigned int *w, unsigned int *h)
{
    unsigned char *bytes = NULL;
    unsigned channels;
    if (!__loadPPM(file, &bytes, w, h, &channels))
        return false;
    size_t size = (size_t)*w * *h * channels;
    if (!*data)
        *data = (T *)malloc(size * sizeof(T));
    for (size_t i = 0; i < size; ++i)
        __samples_convert(bytes[i], *data + i);
    free(bytes);
    return true;
}
template <class T> inline bool sdkSavePGM(const char *file, T *data, unsigned int w, unsigned int h)
{
    std::vector<unsigned char> bytes((size_t)w * h);
    for (size_t i = 0; i < bytes.size(); ++i)
        __samples_convert(data[i], &bytes[i]);
    return __savePPM(file, bytes.data(), w, h, 1);
}
inline bool sdkLoadPPMub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h)
{
    unsigned channels;
    return __loadPPM(file, data, w, h, &channels);
}
// An image of three channels with a fourth that is 0.
template <class T> inline bool sdkLoadPPM4(const char *file, T **data, unsigned int *w, unsigned int *h)
{
    unsigned char *bytes = NULL;
    unsigned channels;
    if (!__loadPPM(file, &bytes, w, h, &channels))
        return false;
    size_t size = (size_t)*w * *h;
    *data = (T *)malloc(size * 4 * sizeof(T));
    for (size_t i = 0; i < size * 4; ++i)
        (*data)[i] = i % 4 == 3 ? 0 : bytes[channels == 3 ? i / 4 * 3 + i % 4 : i / 4];
    free(bytes);
    return true;
}
inline bool sdkLoadPPM4ub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h)
{
    return sdkLoadPPM4(file, data, w, h);
}
inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int w, unsigned int h)
{
    std::vector<unsigned char> bytes((size_t)w * h * 3);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = data[i / 3 * 4 + i % 3];
    return __savePPM(file, bytes.data(), w, h, 3);
}

// Numbers of a text, to be freed, unless there is memory for them already.
template <class T> inline bool sdkReadFile(const char *filename, T **data, unsigned int *len, bool)
{
    assert(filename != NULL && len != NULL);
    FILE *opened = fopen(filename, "r");
    if (!opened) {
        printf("Unable to open input file: %s\n", filename);
        return false;
    }
    std::vector<T> read;
    float number;
    while (fscanf(opened, "%f", &number) == 1)
        read.push_back((T)number);
    fclose(opened);
    if (*data && *len != read.size())
        return __samples_failed("sdkReadFile() : the memory is for another count of numbers: ", filename);
    if (!*data) {
        *data = (T *)malloc(read.size() * sizeof(T));
        *len = (unsigned)read.size();
    }
    std::copy(read.begin(), read.end(), *data);
    return true;
}
template <class T>
inline bool sdkReadFileBlocks(const char *filename, T **data, unsigned int *len, unsigned int block_num,
                              unsigned int block_size, bool)
{
    assert(filename != NULL && len != NULL);
    FILE *opened = fopen(filename, "rb");
    if (!opened)
        return __samples_failed("sdkReadFile() : Opening file failed: ", filename);
    data[block_num] = (T *)malloc(block_size);
    fseek(opened, (long)block_num * block_size, SEEK_SET);
    *len = (unsigned)fread(data[block_num], sizeof(T), block_size / sizeof(T), opened);
    fclose(opened);
    return true;
}
template <class T, class S>
inline bool sdkWriteFile(const char *filename, const T *data, unsigned int len, const S epsilon, bool verbose,
                         bool append = false)
{
    assert(filename != NULL && data != NULL);
    std::ofstream file(filename, append ? std::ios::app : std::ios::trunc);
    if (verbose)
        fprintf(stderr, "sdkWriteFile() : Open file %s for write/append.\n", filename);
    file << "# " << epsilon << "\n";
    for (unsigned i = 0; i < len; ++i)
        file << data[i] << ' ';
    file << std::endl;
    if (!file && verbose)
        __samples_failed("sdkWriteFile() : Writing file failed: ", filename);
    return !!file;
}
inline void sdkDumpBin(void *data, unsigned int bytes, const char *filename)
{
    printf("sdkDumpBin: <%s>\n", filename);
    FILE *opened = fopen(filename, "wb");
    if (!opened) {
        __samples_failed("sdkDumpBin() : Opening file failed: ", filename);
        return;
    }
    fwrite(data, bytes, 1, opened);
    fclose(opened);
}

// Whether fewer elements differ than the share `threshold` of all, which is said; with a share of 0, whether none does.
inline bool __samples_few(unsigned wrong, unsigned len, float threshold)
{
    if (threshold == 0.0f)
        return wrong == 0;
    if (wrong)
        printf("%4.2f(%%) of bytes mismatched (count=%d)\n", (float)wrong * 100 / (float)len, wrong);
    return len * threshold > wrong;
}
template <class T, class S>
inline bool compareData(const T *reference, const T *data, const unsigned int len, const S epsilon, const float threshold)
{
    assert(epsilon >= 0);
    unsigned wrong = 0;
    for (unsigned i = 0; i < len; ++i) {
        float difference = (float)reference[i] - (float)data[i];
        wrong += !(difference <= epsilon && difference >= -epsilon);
    }
    return __samples_few(wrong, len, threshold);
}
template <class T, class S>
inline bool compareDataAsFloatThreshold(const T *reference, const T *data, const unsigned int len, const S epsilon,
                                        const float threshold)
{
    assert(epsilon >= 0);
    float most = MAX((float)epsilon, __MIN_EPSILON_ERROR);
    unsigned wrong = 0;
    for (unsigned i = 0; i < len; ++i)
        wrong += !(fabsf((float)reference[i] - (float)data[i]) < most);
    if (wrong && threshold == 0.0f)
        printf("total # of errors = %d\n", wrong);
    return __samples_few(wrong, len, threshold);
}
// Whether the difference's length is less than that of the reference times `epsilon`.
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int len, const float epsilon)
{
    assert(epsilon >= 0);
    float error = 0, norm = 0;
    for (unsigned i = 0; i < len; ++i) {
        float difference = reference[i] - data[i];
        error += difference * difference;
        norm += reference[i] * reference[i];
    }
    return fabs(norm) >= 1e-7 && sqrtf(error) / sqrtf(norm) < epsilon;
}

// Two files of numbers, of which the second may be in `data`.
template <class T>
inline bool __samples_compare_files(const char *type, const char *src_file, const char *ref_file, unsigned nelements,
                                    float epsilon, float threshold, char *exec_path,
                                    bool (*equal)(const T *, const T *, unsigned, float, float))
{
    std::vector<T> elements[2] = {std::vector<T>(nelements), std::vector<T>(nelements)};
    char *found = sdkFindFilePath(ref_file, exec_path);
    const char *names[2] = {src_file, found};
    int errors = 0;
    for (int i = 0; i < 2; ++i) {
        FILE *opened = names[i] ? fopen(names[i], "rb") : NULL;
        if (!opened) {
            printf("compareBin2Bin <%s> unable to open %s_file: %s\n", type, i ? "ref" : "src", i ? ref_file : src_file);
            ++errors;
            continue;
        }
        size_t read = fread(elements[i].data(), sizeof(T), nelements, opened);
        fclose(opened);
        if (i == 0)
            printf("> compareBin2Bin <%s> nelements=%d, epsilon=%4.2f, threshold=%4.2f\n", type, nelements, epsilon, threshold);
        printf("   %s_file <%s>, size=%d bytes\n", i ? "ref" : "src", names[i], int(read * sizeof(T)));
    }
    if (!errors && !equal(elements[1].data(), elements[0].data(), nelements, epsilon, threshold))
        ++errors;
    free(found);
    if (errors)
        printf("  FAILURE: %d errors...\n", errors);
    else
        printf("  OK\n");
    return errors == 0;
}
inline bool sdkCompareBin2BinUint(const char *src_file, const char *ref_file, unsigned int nelements, const float epsilon,
                                  const float threshold, char *exec_path)
{
    return __samples_compare_files<unsigned>("unsigned int", src_file, ref_file, nelements, epsilon, threshold, exec_path,
                                             compareData<unsigned, float>);
}
inline bool sdkCompareBin2BinFloat(const char *src_file, const char *ref_file, unsigned int nelements, const float epsilon,
                                   const float threshold, char *exec_path)
{
    return __samples_compare_files<float>("float", src_file, ref_file, nelements, epsilon, threshold, exec_path,
                                          compareDataAsFloatThreshold<float, float>);
}

// Two images, which are as in files.
inline bool __samples_compare_images(const char *kind, const char *src_file, const char *ref_file, float epsilon,
                                     float threshold, bool verbose, unsigned channels,
                                     bool (*load)(const char *, unsigned char **, unsigned *, unsigned *))
{
    const char *files[2] = {src_file, ref_file};
    unsigned char *data[2] = {NULL, NULL};
    unsigned w[2] = {0, 0}, h[2] = {0, 0};
    if (!src_file || !ref_file) {
        if (verbose)
            fprintf(stderr, "%s: a file has no name\n", kind);
        return false;
    }
    if (verbose)
        fprintf(stderr, "> Compare (a)rendered:  <%s>\n>         (b)reference: <%s>\n", src_file, ref_file);
    bool equal = load(files[1], data + 1, w + 1, h + 1) && load(files[0], data, w, h);
    if (equal && (w[0] != w[1] || h[0] != h[1])) {
        if (verbose)
            fprintf(stderr, "%s: source and ref size mismatch (%u,%u)vs(%u,%u)\n", kind, w[0], h[0], w[1], h[1]);
        equal = false;
    }
    if (equal) {
        if (verbose)
            fprintf(stderr, "%s: comparing images size (%u,%u) epsilon(%g), threshold(%g%%)\n", kind, w[0], h[0], epsilon,
                    threshold * 100);
        equal = compareData(data[1], data[0], w[0] * h[0] * channels, epsilon, threshold);
    }
    if (verbose && equal)
        fputs("    OK\n\n", stderr);
    else if (verbose)
        fputs("    FAILURE!  1 errors...\n\n", stderr);
    free(data[0]);
    free(data[1]);
    return equal;
}
inline bool sdkComparePPM(const char *src_file, const char *ref_file, const float epsilon, const float threshold,
                          bool verboseErrors)
{
    return __samples_compare_images("PPMvsPPM", src_file, ref_file, epsilon, threshold, verboseErrors, 4, sdkLoadPPM4ub);
}
inline bool sdkComparePGM(const char *src_file, const char *ref_file, const float epsilon, const float threshold,
                          bool verboseErrors)
{
    return __samples_compare_images("PGMvsPGM", src_file, ref_file, epsilon, threshold, verboseErrors, 1, sdkLoadPPMub);
}
#endif
