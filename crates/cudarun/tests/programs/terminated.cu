// What nothing catches ends the program where it is thrown: no object ends.
#include <iostream>
#include <stdexcept>

struct Noted {
    const char *name;
    ~Noted() { std::cout << "end of " << name << std::endl; }
};
void inner()
{
    Noted n{"inner"};
    try {
        throw std::out_of_range("caught outside");
    } catch (const std::invalid_argument &) {
    }
}
int main()
{
    Noted n{"main"};
    try {
        inner();
    } catch (const std::logic_error &e) {
        std::cout << e.what() << std::endl;
    }
    try {
        inner();
    } catch (int) {
    }
}
