// A destructor that may throw is left by its exception; all others end the program.
#include <cstdio>
#include <stdexcept>

struct Part {
    const char *name;
    ~Part() { printf("%s ends\n", name); }
};

struct Guard {
    bool fails;
    Part part{"part"};
    ~Guard() noexcept(false) {
        if (fails) throw std::runtime_error("left by an exception");
    }
};

struct Silent {
    ~Silent() { throw std::runtime_error("not left"); }
};

int main() {
    for (bool fails : {false, true}) {
        try {
            Part before{"before"};
            Guard guard{fails};
            printf("in the block\n");
        } catch (const std::exception &error) {
            printf("%s\n", error.what());
        }
    }
    try {
        Silent silent;
    } catch (...) {
        printf("caught\n");
    }
}
