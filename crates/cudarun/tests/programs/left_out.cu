// What the library for host code leaves out is refused where it is used, with what to write instead; including its headers is not.
#include <csetjmp>
#include <filesystem>
#include <iostream>
#include <regex>
#include <string>
static std::jmp_buf back;
static void pattern(const std::string &text)
{
    std::regex digits("[0-9]+");
    std::smatch found;
    std::cout << std::regex_search(text, found, digits) << '\n';
}
static void folder()
{
    std::cout << std::filesystem::exists("here") << '\n';
}
static void jump()
{
    if (setjmp(back) == 0)
        longjmp(back, 1);
}
int main()
{
    pattern("a1");
    folder();
    jump();
    std::wstring wide;
}
