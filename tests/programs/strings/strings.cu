// Text: search by Knuth, Morris and Pratt and by rolling hashes, a tokeniser as a state machine with tables, numbers read
// and written, words counted in a table of strings, matching of patterns with wildcards by recursion, and reversal.
#ifdef __clang__
#include "../clang.h"
#endif

__constant__ char text[] =
    "for (int i = 0; i < n; i++) { sum += a[i] * 0x1F; } // the sum of all\n"
    "if (sum >= 42 && name != \"warp \\\"32\\\"\") return -17.25e3; /* done */ else while (x) x >>= 1;\n";
#define SIZE ((int)sizeof text - 1)
__constant__ const char *const words[] = {"for", "if", "else", "while", "return", "int", "sum", "warp"};
__device__ const char *patterns[] = {"*sum*", "for*", "*i?i*", "*\n", "?*?", "*;*;*;*;*", "*[*]*", "", "*x*x*x*", "fo?r*"};

__device__ int length(const char *s)
{
    const char *end = s;
    while (*end)
        end++;
    return (int)(end - s);
}

extern "C" __global__ void search(int *found)
{
    __shared__ signed char failure[8][8];
    int w = threadIdx.x;
    if (w < 8) {
        const char *word = words[w];
        int m = length(word);
        failure[w][0] = -1;
        for (int i = 0, k = -1; i < m - 1;) {
            while (k >= 0 && word[i] != word[k])
                k = failure[w][k];
            failure[w][++i] = ++k;
        }
        int count = 0, last = -1, k = 0;
        for (int i = 0; i < SIZE; i++) {
            while (k >= 0 && text[i] != word[k])
                k = failure[w][k];
            if (++k == m) {
                count++;
                last = i - m + 1;
                k = 0;
            }
        }
        unsigned hash = 0, wanted = 0, power = 1;
        int rolled = 0;
        for (int i = 0; i < m; i++) {
            wanted = wanted * 257 + word[i];
            hash = hash * 257 + text[i];
            power *= i ? 257 : 1;
        }
        for (int i = 0; i + m <= SIZE; i++) {
            rolled += hash == wanted;
            hash = (hash - text[i] * power) * 257 + text[i + m];
        }
        found[3 * w] = count;
        found[3 * w + 1] = last;
        found[3 * w + 2] = rolled;
    }
}

enum class Kind : unsigned char { space, name, number, string, comment, sign, keyword };

__device__ bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
__device__ bool digit(char c) { return c >= '0' && c <= '9'; }

__device__ bool same(const char *a, const char *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return b[n] == 0;
}

// Every thread starts at another place of the text.
extern "C" __global__ void tokens(unsigned char *kinds, short *starts, int *counts, double *values)
{
    int t = threadIdx.x, at = t * 3, count = 0;
    double sum = 0;
    while (at < SIZE) {
        int start = at;
        char c = text[at];
        Kind kind;
        if (c == ' ' || c == '\n') {
            kind = Kind::space;
            while (at < SIZE && (text[at] == ' ' || text[at] == '\n'))
                at++;
        } else if (letter(c)) {
            kind = Kind::name;
            while (letter(text[at]) || digit(text[at]))
                at++;
            for (auto word : words)
                if (same(text + start, word, at - start))
                    kind = Kind::keyword;
        } else if (digit(c)) {
            kind = Kind::number;
            double value = 0, scale = 1;
            if (c == '0' && text[at + 1] == 'x') {
                at += 2;
                for (;; at++) {
                    char h = text[at];
                    int v = digit(h) ? h - '0' : h >= 'A' && h <= 'F' ? h - 'A' + 10 : -1;
                    if (v < 0)
                        break;
                    value = value * 16 + v;
                }
            } else {
                for (; digit(text[at]); at++)
                    value = value * 10 + (text[at] - '0');
                if (text[at] == '.')
                    for (at++; digit(text[at]); at++, scale *= 10)
                        value = value * 10 + (text[at] - '0');
                value /= scale;
                if (text[at] == 'e') {
                    int e = 0;
                    for (at++; digit(text[at]); at++)
                        e = e * 10 + text[at] - '0';
                    while (e-- > 0)
                        value *= 10;
                }
            }
            sum += value;
        } else if (c == '"') {
            kind = Kind::string;
            for (at++; at < SIZE && text[at] != '"'; at++)
                if (text[at] == '\\')
                    at++;
            at++;
        } else if (c == '/' && (text[at + 1] == '/' || text[at + 1] == '*')) {
            kind = Kind::comment;
            if (text[at + 1] == '/')
                while (at < SIZE && text[at] != '\n')
                    at++;
            else {
                for (at += 2; at < SIZE && !(text[at - 1] == '*' && text[at] == '/'); at++)
                    ;
                at++;
            }
        } else {
            kind = Kind::sign;
            at++;
            switch (c) {
            case '<': case '>': case '=': case '!': at += text[at] == '=' || text[at] == c; break;
            case '+': case '-': case '&': case '|': at += text[at] == c || text[at] == '='; break;
            default: break;
            }
        }
        if (kind != Kind::space && count < 64) {
            kinds[t * 64 + count] = static_cast<unsigned char>(kind);
            starts[t * 64 + count++] = (short)start;
        }
    }
    counts[t] = count;
    values[t] = sum;
}

__device__ bool matches(const char *pattern, const char *s)
{
    for (; *pattern; pattern++, s++) {
        if (*pattern == '*') {
            do
                if (matches(pattern + 1, s))
                    return true;
            while (*s++);
            return false;
        }
        if (!*s || (*pattern != '?' && *pattern != *s))
            return false;
    }
    return !*s;
}

extern "C" __global__ void wildcards(unsigned char *matched)
{
    if (threadIdx.x < 10)
        matched[threadIdx.x] = matches(patterns[threadIdx.x], text + 100);
}

__device__ char *decimal(char *to, long long v)
{
    unsigned long long u = v < 0 ? -(unsigned long long)v : v;
    if (v < 0)
        *to++ = '-';
    char digits[20];
    int n = 0;
    do
        digits[n++] = '0' + u % 10;
    while (u /= 10);
    while (n)
        *to++ = digits[--n];
    *to = 0;
    return to;
}

extern "C" __global__ void numbers(const long long *in, char *out, long long *back)
{
    int i = threadIdx.x;
    char *mine = out + 48 * i, *end = decimal(mine, in[i] * (i + 1));
    *end++ = ',';
    end = decimal(end, in[i] >> i);
    bool negative = *mine == '-';
    long long v = 0;
    const char *p = mine + negative;
    while (*p >= '0' && *p <= '9')
        v = v * 10 + (*p++ - '0');
    back[i] = negative ? -v : v;
    for (char *a = mine, *b = end - 1; a < b; a++, b--) {
        char swap = *a;
        *a = *b;
        *b = swap;
    }
}
