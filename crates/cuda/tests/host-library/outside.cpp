// Members that are defined outside of their classes: of classes in class templates, of specialisations, and of templates in either.
#include <cstdio>
#include <iostream>
#include <string>
template<class T> struct X {
  struct Inner { T v; Inner(T t); ~Inner(); T f(); static int count; template<class U> U as(U); void con() const; operator T() const; Inner& operator+=(T t); };
  struct Node;
  class Priv;
  Node* head = nullptr;
  void push(T t);
  template<class U> void show(U u);
  template<class U> struct In2 { U u; T t; void pr(); };
  Inner make(T t);
  class iterator { Node* n; public: iterator(Node*n); iterator& operator++(); T& operator*(); bool operator!=(const iterator&o) const; };
  iterator begin(); iterator end();
  enum class Mode;
  ~X();
};
template<class T> X<T>::Inner::Inner(T t) : v(t) { ++count; }
template<class T> X<T>::Inner::~Inner() { --count; }
template<class T> T X<T>::Inner::f() { return v * 2; }
template<class T> int X<T>::Inner::count = 0;
template<class T> template<class U> U X<T>::Inner::as(U u) { return U(v) + u; }
template<class T> void X<T>::Inner::con() const { std::cout << "con " << v << "\n"; }
template<class T> X<T>::Inner::operator T() const { return v; }
template<class T> typename X<T>::Inner& X<T>::Inner::operator+=(T t) { v += t; return *this; }
template<class T> struct X<T>::Node { T v; Node* next; Node(T v, Node* n) : v(v), next(n) {} void pr(); };
template<class T> void X<T>::Node::pr() { std::cout << v << ' '; if (next) next->pr(); }
template<class T> void X<T>::push(T t) { head = new Node(t, head); }
template<class T> template<class U> void X<T>::show(U u) { std::cout << u << ": "; head->pr(); std::cout << "\n"; }
template<class T> template<class U> void X<T>::In2<U>::pr() { std::cout << u << t << "\n"; }
template<class T> typename X<T>::Inner X<T>::make(T t) { return Inner(t); }
template<class T> X<T>::iterator::iterator(Node* n) : n(n) {}
template<class T> typename X<T>::iterator& X<T>::iterator::operator++() { n = n->next; return *this; }
template<class T> T& X<T>::iterator::operator*() { return n->v; }
template<class T> bool X<T>::iterator::operator!=(const iterator& o) const { return n != o.n; }
template<class T> auto X<T>::begin() -> iterator { return iterator(head); }
template<class T> typename X<T>::iterator X<T>::end() { return iterator(nullptr); }
template<class T> X<T>::~X() { while (head) { Node* n = head->next; delete head; head = n; } }
struct O { struct P; template<class T> struct Q { T t; void f(); template<class V> V g(V v); }; template<class T> T h(T); };
struct O::P { int a; void f(); };
void O::P::f() { std::cout << "P " << a << "\n"; }
template<class T> void O::Q<T>::f() { std::cout << "Q " << t << "\n"; }
template<class T> template<class V> V O::Q<T>::g(V v) { return v + t; }
template<class T> T O::h(T t) { return t + 1; }
template<class T, int N> class Mat { public: class Row { T* p; public: explicit Row(T* p); T& operator[](int i); }; T d[N*N]; Row operator[](int i); friend std::ostream& operator<<(std::ostream& o, const Mat& m) { return o << m.d[0]; } };
template<class T, int N> Mat<T,N>::Row::Row(T* p) : p(p) {}
template<class T, int N> T& Mat<T,N>::Row::operator[](int i) { return p[i]; }
template<class T, int N> typename Mat<T,N>::Row Mat<T,N>::operator[](int i) { return Row(d + i * N); }
template<class T> struct P { void f(); static int n; template<class U> int g(U u); };
template<class T> void P<T>::f() { printf("primary\n"); }
template<class T> int P<T>::n = 1;
template<class T> template<class U> int P<T>::g(U u) { return 1 + sizeof(T); }
template<class T> struct P<T*> { void f(); static int n; T get(T a); template<class U> int g(U u);};
template<class T> void P<T*>::f() { printf("pointer %d\n", (int)sizeof(T)); }
template<class T> int P<T*>::n = 2;
template<class U> U P<U*>::get(U a) { return a + 1; }
template<class T> template<class U> int P<T*>::g(U u) { return 10 + sizeof(T); }
template<> struct P<char> { void f(); static int n; };
void P<char>::f() { printf("char\n"); }
int P<char>::n = 3;
template<class A, class B> struct Q { void f(); };
template<class A, class B> void Q<A,B>::f() { printf("Q\n"); }
template<class A> struct Q<A, A> { void f(); A v; };
template<class A> void Q<A, A>::f() { printf("same %d\n", (int)sizeof(A)); }
template<class B> struct Q<int, B> { void f(); };
template<class B> void Q<int, B>::f() { printf("int,B %d\n", (int)sizeof(B)); }
template<class T, int N> struct R; 
template<class T> struct R<T, 0> { T v; R(T v); T go() const; };
template<class T> R<T, 0>::R(T v) : v(v) {}
template<class T> T R<T, 0>::go() const { return v; }
template<class T, int N> struct R { T v; R(T v); T go() const; };
template<class T, int N> R<T, N>::R(T v) : v(v) {}
template<class T, int N> T R<T, N>::go() const { return v + R<T, N - 1>(v).go(); }

struct Converts {
    operator int() const;
    operator double() const;
    const char *which() &;
    const char *which() &&;
    const char *which() const &;
};
Converts::operator int() const { return 3; }
Converts::operator double() const { return 2.5; }
const char *Converts::which() & { return "lvalue"; }
const char *Converts::which() && { return "rvalue"; }
const char *Converts::which() const & { return "const"; }
template <class T> struct Outer {
    template <class U> struct Inner;
    struct Other {
        struct Deep;
    };
};
template <class A> template <class B> struct Outer<A>::Inner {
    A a;
    B b;
    int sum();
};
template <class A> template <class B> int Outer<A>::Inner<B>::sum() { return int(a + b); }
template <class Z> struct Outer<Z>::Other::Deep {
    Z z;
    Z twice() const;
};
template <class Y> Y Outer<Y>::Other::Deep::twice() const { return z + z; }
static void nested()
 {
  X<int>::Inner i(5); std::cout << i.f() << X<int>::Inner::count << i.as(2.5) << int(i) << "\n"; i.con(); i += 3; i.con();
  { X<int>::Inner j(5); std::cout << j.count << "\n"; } std::cout << i.count << X<double>::Inner::count << "\n";
  X<int> x; x.push(1); x.push(2); x.show("list");
  X<int>::In2<std::string> s{"a", 3}; s.pr();
  for (int v : x) std::cout << v << ","; std::cout << "\n";
  std::cout << x.make(9).f() << "\n";
  O::P{4}.f(); O::Q<int>{5}.f(); std::cout << O::Q<int>{5}.g(2.5) << O().h(3) << "\n";
  Mat<int,2> m; m[0][0] = 1; m[1][1] = 4; std::cout << m[1][1] << m << "\n";
}
static void special()
 { P<int>().f(); P<int*>().f(); P<char>().f(); printf("%d %d %d\n", P<int>::n, P<int*>::n, P<char>::n);
 Q<char,float>().f(); Q<char,char>().f(); Q<int,double>().f(); printf("%d\n", P<double*>().get(4) > 4); printf("%d %d\n", P<int>().g(1), P<double*>().g(1));
 printf("%d\n", R<int, 3>(2).go());
}
int main()
{
    nested();
    special();
    Converts c;
    const Converts d;
    std::cout << int(c) << double(c) << c.which() << d.which() << Converts().which() << "\n";
    std::cout << Outer<int>::Inner<double>{2, 3.5}.sum() << Outer<std::string>::Other::Deep{"ab"}.twice() << std::endl;
}
