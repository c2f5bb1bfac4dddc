// Exceptions after their handlers, in futures, and what std::any holds.
#include <any>
#include <future>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct Mistake : std::logic_error {
    int code;
    Mistake(int c) : std::logic_error("mistake"), code(c) {}
    ~Mistake() { std::cout << "(end " << code << ")"; }
};

int fails(int x)
{
    if (x > 1)
        throw std::out_of_range("too much");
    return x;
}

int main()
{
    std::exception_ptr kept;
    try {
        fails(2);
    } catch (...) {
        kept = std::current_exception();
    }
    try {
        std::rethrow_exception(kept);
    } catch (const std::exception &e) {
        std::cout << e.what() << ' ' << (std::current_exception() != nullptr) << (std::current_exception() == kept) << '\n';
    }
    kept = std::make_exception_ptr(Mistake(7));
    auto copy = kept;
    std::cout << (copy == kept) << !std::exception_ptr() << '\n';
    try {
        try {
            throw 1;
        } catch (int) {
            std::rethrow_exception(copy);
        }
    } catch (const Mistake &m) {
        std::cout << m.code << m.what() << '\n';
    }
    kept = copy = nullptr;
    std::cout << '\n';
    try {
        try {
            throw std::runtime_error("inner");
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    } catch (const std::exception &e) {
        std::cout << e.what();
        try {
            std::rethrow_if_nested(e);
        } catch (const std::exception &inner) {
            std::cout << " of " << inner.what() << '\n';
        }
    }
    auto good = std::async(fails, 1);
    auto bad = std::async(std::launch::deferred, fails, 2);
    std::cout << good.get() << '\n';
    try {
        bad.get();
    } catch (const std::out_of_range &e) {
        std::cout << e.what() << '\n';
    }
    std::promise<std::string> p;
    auto of_promise = p.get_future();
    std::thread([&p] { p.set_value("done"); }).join();
    std::packaged_task<int(int)> task(fails);
    auto of_task = task.get_future();
    task(5);
    std::shared_future<int> shared = std::async([] { return 5; }).share();
    std::cout << of_promise.get() << shared.get() + shared.get() << of_promise.valid() << '\n';
    try {
        of_task.get();
    } catch (const std::exception &e) {
        std::cout << e.what() << '\n';
    }
    std::any a = 5;
    std::cout << std::any_cast<int>(a) << a.has_value();
    a = std::string("text");
    std::cout << std::any_cast<std::string &>(a) << (a.type() == typeid(std::string)) << '\n';
    try {
        std::any_cast<double>(a);
    } catch (const std::bad_any_cast &e) {
        std::cout << e.what() << ' ' << (std::any_cast<int>(&a) == nullptr) << '\n';
    }
    std::any b = std::make_any<std::vector<int>>({1, 2, 3});
    b.swap(a);
    std::cout << std::any_cast<std::vector<int> &>(a)[2] << std::any_cast<std::string>(b) << '\n';
}
