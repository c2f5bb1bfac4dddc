// Arrays whose lengths are known when they are reached, as g++ has them.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>
using namespace std;
struct Noisy {
    int n = 7;
    ~Noisy() { cout << "~" << n; }
};
static void print(int a[], int n)
{
    for (int i = 0; i < n; i++)
        cout << a[i] << ' ';
    cout << '\n';
}
template <class T> void print_any(T *a, int n) { cout << a[n - 1] << '\n'; }
template <class T> void sizes(int n)
{
    T a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    cout << sizeof(a) << ' ' << sizeof a / sizeof a[0] << '\n';
}
static void one(int n)
{
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i * 7 % 5;
    print(a, n);
    sort(a, a + n);
    print(a, n);
    fill(a, a + n, 3);
    print_any(a, n);
    auto p = a;
    int *q = a;
    cout << accumulate(a, a + n, 0) << p[1] << *(a + 2) << q - a << (a == &a[0]) << *max_element(a, a + n) << '\n';
    char t[n + 1];
    strcpy(t, "hello");
    printf("%s\n", t);
    fflush(stdout);
    cout << t << string(t, n) << vector<int>(a, a + n).size() << '\n';
    memset(a, 0, sizeof a);
    for (int x : a)
        cout << x;
    for (int &x : a)
        x = 2;
    [&] { a[1] = 9; }();
    cout << a[0] << a[1] << '\n';
    if (a)
        swap(a[0], a[1]);
    const double half[n] = {0.5, 1.5};
    cout << a[0] << half[1] << half[2] << '\n';
}
static void objects(int n)
{
    vector<int> adjacent[n];
    adjacent[1].push_back(3);
    string names[n], pairs[n][2];
    names[2] = "abc";
    pairs[1][1] = "de";
    map<int, int> m[n + 1];
    m[0][1] = 5;
    pair<int, int> ps[n];
    cout << adjacent[1].size() << adjacent[0].size() << names[2] << names[0] << pairs[1][1] << m[0].size() << ps[0].first << '\n';
    Noisy noisy[n - 2];
    noisy[1].n = 8;
    for (Noisy &one : noisy)
        cout << one.n;
}
static void several(int n, int k)
{
    int m[n][k];
    memset(m, 0, sizeof(m));
    m[1][2] = 5;
    int *p = &m[0][0];
    cout << p[k + 2] << ' ' << sizeof m << ' ' << sizeof m[0] << ' ' << sizeof(m[0][0]) << '\n';
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++)
            m[i][j] = k - j + i;
        sort(m[i], m[i] + k);
    }
    print(m[2], k);
    int c[3][n];
    c[2][1] = 4;
    double q[n][n][2];
    q[1][1][1] = 2.5;
    cout << c[2][1] << sizeof(c) << ' ' << q[1][1][1] << sizeof q << ' ' << sizeof(q[0]) << ' ' << sizeof *q[0] << '\n';
    int(*r)[3];
    int e[n][3];
    r = e;
    e[1][1] = 9;
    char s[n][10];
    strcpy(s[1], "ab");
    cout << r[1][1] << sizeof(e[0]) << s[1] << strlen(s[1]) << '\n';
}
int main()
{
    int n = 5;
    sizes<int>(n);
    sizes<double>(n + 1);
    one(n);
    objects(4);
    cout << '\n';
    several(4, 3);
    int a[n]{}, b[n] = {}, c[n] = {1, 2};
    for (int i = 0; i < n; i++)
        cout << a[i] << b[i] << c[i] << ' ';
    cout << endl;
}
