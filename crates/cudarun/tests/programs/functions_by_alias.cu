// Functions that are declared by an alias of their type.
#include <cstdio>

typedef int operation(int, int);
using task = void(const char *);
typedef operation same;

operation add, multiply;
static same subtract;
extern "C" task show;

int apply(operation *one, int a, int b) { return one(a, b); }

int main() {
    operation *table[] = {add, multiply, subtract};
    for (operation *one : table) printf("%d\n", apply(one, 7, 3));
    show("end");
}

int add(int a, int b) { return a + b; }
int multiply(int a, int b) { return a * b; }
static int subtract(int a, int b) { return a - b; }
extern "C" void show(const char *text) { puts(text); }
