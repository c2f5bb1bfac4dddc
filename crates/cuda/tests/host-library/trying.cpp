// A function's body that is a `try` as a whole: constructors with what they initialise, destructors, functions.
#include <iostream>
#include <stdexcept>
#include <string>
struct Fails {
    explicit Fails(int i)
    {
        if (i)
            throw std::runtime_error("Fails");
    }
};
struct Loud {
    const char *name;
    explicit Loud(const char *n) : name(n) {}
    ~Loud() { std::cout << "~" << name << "\n"; }
};
struct Both {
    Loud loud;
    Fails fails;
    int kind;
    explicit Both(int i)
    try : loud("member"), fails(i == 1), kind(i) {
        std::cout << "body\n";
        Loud local("local");
        if (kind == 2)
            throw 3;
    } catch (const std::exception &e) {
        std::cout << "caught " << e.what() << i << "\n";
    } catch (int) {
        std::cout << "int\n";
        throw std::string("another");
    }
};
struct Base {
    explicit Base(int i) { throw i; }
};
struct Derived : Base {
    Loud never{"never"};
    Derived()
    try : Base(5) {
    } catch (int &i) {
        std::cout << "base " << i << "\n";
        i = 6;
    }
};
template <class T> struct Any {
    T t;
    template <class U> Any(U u)
    try : t(u.at(0)) {
    } catch (const std::out_of_range &) {
        std::cout << "empty\n";
    }
};
static int number(int i)
try {
    Loud l("function");
    if (i)
        throw i;
    return 1;
} catch (int k) {
    return k + 10;
}
static void nothing(int n)
try {
    throw n;
} catch (...) {
    std::cout << "nothing " << n << "\n";
}
struct Ends {
    ~Ends()
    try {
        throw 1;
    } catch (int) {
        std::cout << "ends\n";
        return;
    }
};
int main()
{
    for (int i = 0; i < 3; i++) {
        try {
            Both b(i);
        } catch (const std::exception &e) {
            std::cout << "outer " << e.what() << "\n";
        } catch (const std::string &s) {
            std::cout << "outer " << s << "\n";
        }
    }
    try {
        Derived d;
    } catch (int i) {
        std::cout << "outer " << i << "\n";
    }
    try {
        Any<char> a{std::string()};
    } catch (const std::logic_error &) {
        std::cout << "outer\n";
    }
    std::cout << number(0) << number(3) << "\n";
    nothing(4);
    {
        Ends e;
    }
    std::cout << std::flush;
}
