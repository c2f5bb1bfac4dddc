// An exception that nothing catches. What is expected is what g++ 12 prints.
#include <iostream>
#include <stdexcept>
int main()
{
    std::cout << "before" << std::endl;
    throw std::runtime_error("boom");
}
