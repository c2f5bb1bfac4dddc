// An exception that nothing catches. What is expected is what g++ 12 prints, and after it what is reported of how the program ended.
#include <iostream>
#include <stdexcept>
int main()
{
    std::cout << "before" << std::endl;
    throw std::runtime_error("boom");
}
