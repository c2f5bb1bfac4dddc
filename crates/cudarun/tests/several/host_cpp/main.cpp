#include "shapes.h"

namespace {
int hidden = 1;
struct Local {
    int value() const { return 10; }
};
}
static int helper() { return hidden + Local().value(); }
int second_file_helper();

int first = note(1);
int order[4], ordered;

int main()
{
    printf("order %d %d %d\n", order[0], order[1], order[2]);
    std::vector<Shape *> all = { make(0, 2), make(1, 3), new Square(1) };
    for (Shape *one : all)
        printf("%s %g\n", one->name(), one->area());
    printf("total %g made %d\n", total(all), Square::made);
    for (Shape *one : all)
        delete one;
    try {
        fail(7);
    } catch (const Problem &problem) {
        printf("caught %d %s\n", problem.code, problem.text.c_str());
    }
    printf("guarded %d %d\n", guarded(fail, 3), guarded([](int code) { if (code > 1) throw code; }, 9));
    printf("helpers %d %d\n", helper(), second_file_helper());
    calls();
    printf("calls %d level %d exported %d limit %d\n", calls(), shared_level, exported, limit);
    Stack<int> stack;
    stack.push(4);
    Stack<long> longs;
    longs.push(1L << 40);
    long last = longs.pop();
    printf("%ld %d\n", last, Stack<long>::pops);
    printf("%d %d %d %zu\n", tools::twice(4), tools::thrice(4), plain(5), stack.all.size());
    return shared_level;
}
