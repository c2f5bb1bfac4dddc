// The order in which arguments and operands are evaluated. What is expected is what g++ 12 prints.
#include <cstdio>
#include <string>
#include <vector>
#include <functional>
#include <iostream>
#include <memory>
#include <map>
static int n;
int t(const char *s)
{
    printf(" %s", s);
    return n++;
}
#define L(x) printf("\n%s:", x)
struct V {
    int v;
    V(int v) : v(v) { printf(" V%d", v); }
    V(const V &o) : v(o.v) { printf(" C%d", v); }
    ~V() { printf(" ~%d", v); }
};
V tv(const char *s, int i)
{
    printf(" %s", s);
    return V(i);
}
struct S {
    S() {}
    S(int, int) {}
    S(int, int, int) {}
    S &f(int a, int b) { return *this; }
    virtual void g(int, int) {}
    static void st(int, int) {}
    S operator+(S o) { return *this; }
    int operator[](int) { return 0; }
    int operator()(int, int) { return 0; }
    S &operator=(int) { return *this; }
    S &operator+=(int) { return *this; }
    S &operator<<(int) { return *this; }
    bool operator==(S) const { return true; }
};
S &gs(const char *s)
{
    static S x;
    printf(" %s", s);
    return x;
}
S operator-(S, S) { return S(); }
S &operator>>(S &a, int) { return a; }
bool operator<(const S &, const S &) { return false; }
bool operator&&(const S &, const S &) { return false; }
void f(int, int) {}
void f3(int, int, int) {}
void fv(V, V) {}
void fr(const V &, const V &) {}
template <class... A> void var(A... a) {}
typedef void (*FP)(int, int);
FP gf(const char *s)
{
    printf(" %s", s);
    return f;
}
struct Agg {
    int a, b;
};
struct D : S {
    D() : S(t("a"), t("b")) {}
};
struct M {
    int a, b;
    M() : a(t("a")), b(t("b")) {}
};
int &ri(const char *s)
{
    static int x;
    printf(" %s", s);
    return x;
}
int *pi(const char *s)
{
    static int x[10];
    printf(" %s", s);
    return x;
}
int main()
{
    L("func");
    f(t("a"), t("b"));
    L("func3");
    f3(t("a"), t("b"), t("c"));
    L("variadic C");
    printf("%d%d", t("a"), t("b"));
    L("variadic T");
    var(t("a"), t("b"), 1.0 * t("c"));
    L("by value");
    fv(tv("a", 1), tv("b", 2));
    L("by ref");
    fr(tv("a", 1), tv("b", 2));
    L("by ref conv");
    fr(t("a"), t("b"));
    L("method");
    gs("o").f(t("a"), t("b"));
    L("chain");
    gs("o").f(t("a"), t("b")).f(t("c"), t("d"));
    L("virtual");
    gs("o").g(t("a"), t("b"));
    L("ptr virtual");
    (&gs("o"))->g(t("a"), t("b"));
    L("static");
    S::st(t("a"), t("b"));
    L("static via obj");
    gs("o").st(t("a"), t("b"));
    L("fp");
    gf("o")(t("a"), t("b"));
    L("functor");
    gs("o")(t("a"), t("b"));
    L("ctor ()");
    S x(t("a"), t("b"));
    L("ctor {}");
    S y{t("a"), t("b")};
    L("temp ()");
    S(t("a"), t("b"));
    L("temp {}");
    S{t("a"), t("b")};
    L("={}");
    S z = {t("a"), t("b")};
    L("new ()");
    delete new S(t("a"), t("b"));
    L("new {}");
    delete new S{t("a"), t("b")};
    L("base init");
    D d;
    L("member init");
    M m;
    L("agg");
    Agg g{t("a"), t("b")};
    L("f({},{})");
    fr(V{t("a")}, V{t("b")});
    L("op+ member");
    gs("a") + gs("b");
    L("op- free");
    gs("a") - gs("b");
    L("op< free");
    gs("a") < gs("b");
    L("op== member");
    gs("a") == gs("b");
    L("op&& free");
    gs("a") && gs("b");
    L("op[]");
    gs("a")[t("b")];
    L("op=");
    gs("a") = t("b");
    L("op+=");
    gs("a") += t("b");
    L("op<<");
    gs("a") << t("b") << t("c");
    L("op>>");
    gs("a") >> t("b");
    L("explicit op=");
    gs("a").operator=(t("b"));
    L("explicit op+ free");
    operator-(gs("a"), gs("b"));
    L("int +");
    (void)(t("a") + t("b"));
    L("int <");
    (void)(t("a") < t("b"));
    L("int =");
    ri("a") = t("b");
    L("int +=");
    ri("a") += t("b");
    L("int -=ri");
    ri("a") -= ri("b");
    L("ptr[]");
    (void)pi("a")[t("b")];
    L("p[i]=");
    pi("a")[t("b")] = t("c");
    L("p[i]+=");
    pi("a")[t("b")] += t("c");
    L("<<");
    (void)(t("a") << t("b"));
    std::vector<int> v;
    L("push_back x");
    v.push_back(t("a"));
    L("vector{}");
    std::vector<int> w{t("a"), t("b")};
    L("vector()");
    std::vector<int> w2(t("a") & 0, t("b"));
    L("pair");
    std::pair<int, int> p(t("a"), t("b"));
    L("make_pair");
    auto q = std::make_pair(t("a"), t("b"));
    L("pair{}");
    std::pair<int, int> p2{t("a"), t("b")};
    L("map[]=");
    std::map<int, int> mm;
    mm[t("a")] = t("b");
    L("std::function");
    std::function<void(int, int)> fn = f;
    fn(t("a"), t("b"));
    L("lambda");
    [](int, int) {}(t("a"), t("b"));
    L("make_unique");
    auto u = std::make_unique<S>(t("a"), t("b"));
    L("string +");
    std::string s = std::string((t("a"), "x")) + std::string((t("b"), "y"));
    L("max");
    (void)std::max(t("a"), t("b"));
    L("nested");
    f(f == nullptr ? 0 : (f(t("a"), t("b")), t("c")), (f(t("d"), t("e")), t("g")));
    L("ret S");
    [&] { return S(t("a"), t("b")); }();
    L("throw");
    try {
        throw S(t("a"), t("b"));
    } catch (S &) {
    }
    L("default arg");
    ;
    L("array init");
    int ar[] = {t("a"), t("b")};
    int i = 1;
    static int gi = 1;
    int a[3] = {0, 0, 0};
    L("a[i]=i++");
    a[i] = i++;
    printf(" %d %d %d", a[0], a[1], a[2]);
    i = 1;
    int b[3] = {0, 0, 0};
    L("a[i++]=i");
    b[i++] = i;
    printf(" %d %d %d", b[0], b[1], b[2]);
    i = 1;
    puts("");
    return 0;
}
