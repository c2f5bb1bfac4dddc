// <memory>, <optional>, <variant>, <bitset>, <complex>, <thread> and its relatives, <limits>, <type_traits>.
#include <atomic>
#include <bitset>
#include <complex>
#include <condition_variable>
#include <future>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

struct Base {
    virtual ~Base() { std::cout << "~Base "; }
    virtual std::string name() const { return "base"; }
};
struct Derived : Base {
    int n;
    explicit Derived(int v) : n(v) {}
    ~Derived() override { std::cout << "~Derived(" << n << ") "; }
    std::string name() const override { return "derived " + std::to_string(n); }
};
struct Node : std::enable_shared_from_this<Node> {
    std::weak_ptr<Node> parent;
    std::vector<std::shared_ptr<Node>> children;
    int id;
    explicit Node(int i) : id(i) {}
    ~Node() { std::cout << "~Node(" << id << ") "; }
    std::shared_ptr<Node> me() { return shared_from_this(); }
};
static void close_it(int *p)
{
    std::cout << "closed " << *p << ' ';
    delete p;
}
static void pointers()
{
    {
        std::unique_ptr<Base> p = std::make_unique<Derived>(1);
        std::unique_ptr<Derived> d(new Derived(2));
        std::cout << p->name() << ' ' << (*d).n << ' ' << bool(p) << (p != nullptr) << sizeof(p) << '\n';
        p = std::move(d);
        std::cout << '\n' << p->name() << ' ' << (d == nullptr) << '\n';
        std::unique_ptr<int, void (*)(int *)> f(new int(5), close_it);
        auto g = std::make_unique<int[]>(4);
        g[2] = 9;
        std::unique_ptr<float[]> h(new float[3]);
        auto deleter = [](int *q) { std::cout << "lambda "; delete q; };
        std::unique_ptr<int, decltype(deleter)> l(new int(7), deleter);
        std::cout << g[0] << g[2] << *f << *l << '\n';
        std::vector<std::unique_ptr<Base>> v;
        v.push_back(std::make_unique<Base>());
        v.emplace_back(new Derived(3));
        for (auto &b : v)
            std::cout << b->name() << ' ';
        p.reset();
        Base *raw = v[0].release();
        delete raw;
        std::cout << '\n';
    }
    std::cout << '\n';
    {
        std::shared_ptr<Base> p = std::make_shared<Derived>(10), q = p;
        std::weak_ptr<Base> w = p;
        std::cout << p.use_count() << w.expired() << w.lock()->name() << p.unique() << (p == q) << '\n';
        q.reset();
        p = nullptr;
        std::cout << '\n' << w.expired() << (w.lock() == nullptr) << '\n';
        std::shared_ptr<int> custom(new int(3), close_it), array(new int[2], std::default_delete<int[]>());
        std::shared_ptr<Derived> d = std::make_shared<Derived>(11);
        std::shared_ptr<int> part(d, &d->n);
        std::shared_ptr<Base> up = d;
        std::shared_ptr<Derived> down = std::static_pointer_cast<Derived>(up);
        std::cout << *part << d.use_count() << down->n << '\n';
        std::shared_ptr<Base> from = std::make_unique<Derived>(12);
        auto root = std::make_shared<Node>(1);
        for (int i = 2; i < 4; i++) {
            root->children.push_back(std::make_shared<Node>(i));
            root->children.back()->parent = root;
        }
        std::cout << root->children[1]->parent.lock()->id << root.use_count() << root->me().use_count() << '\n';
        std::set<std::shared_ptr<Base>> set{up, from, up};
        std::cout << set.size() << '\n';
        try {
            std::shared_ptr<Base> none(w);
        } catch (const std::bad_weak_ptr &e) {
            std::cout << e.what() << '\n';
        }
    }
    std::cout << '\n';
}
static void choices()
{
    std::optional<int> a, b = 5, c(b);
    std::optional<std::string> s = "text";
    a = 3;
    std::cout << *a << b.value() << c.value_or(9) << std::optional<int>().value_or(9) << s->size() << bool(a) << (a < b) << (a == 3) << (b == std::nullopt);
    a.reset();
    s = std::nullopt;
    std::cout << a.has_value() << s.has_value() << s.emplace("again") << *std::make_optional(4.5) << '\n';
    try {
        std::cout << a.value();
    } catch (const std::bad_optional_access &e) {
        std::cout << e.what() << '\n';
    }
    std::variant<int, double, std::string> v = 1, w = 2.5, x = "str", y;
    std::cout << v.index() << w.index() << x.index() << y.index() << std::get<int>(v) << std::get<1>(w) << std::get<std::string>(x)
              << std::holds_alternative<double>(w) << (std::get_if<int>(&w) == nullptr) << *std::get_if<double>(&w) << '\n';
    v = std::string("now text");
    y = x;
    std::vector<std::variant<int, double, std::string>> all{v, w, x, 7};
    for (auto &one : all)
        std::visit([](const auto &value) { std::cout << value << ' '; }, one);
    std::cout << (x == y) << (v != x) << std::visit([](auto &&value) { return sizeof(value); }, w) << '\n';
    try {
        std::get<int>(x);
    } catch (const std::bad_variant_access &e) {
        std::cout << e.what() << '\n';
    }
    std::bitset<10> bits("1011"), more(0x2f3);
    bits[7] = true;
    bits.flip(0).set(5);
    std::cout << bits << ' ' << more << ' ' << bits.count() << bits.test(1) << bits.any() << (bits & more) << ' ' << (bits | more) << ' ' << (bits ^ more)
              << ' ' << ~bits << ' ' << (bits << 2) << ' ' << (bits >> 3) << ' ' << bits.to_ulong() << bits.to_string() << std::bitset<70>().set().count()
              << '\n';
    try {
        bits.test(10);
    } catch (const std::out_of_range &e) {
        std::cout << e.what() << '\n';
    }
}
static void numbers()
{
    std::complex<double> a(1, 2), b(3, -1), c = 5;
    std::complex<float> f(0.5f, 1.5f);
    std::cout << a + b << a - b << a * b << a / b << 2.0 * a << a / 2.0 << -a << c << f * f << f / f << (a == b) << std::abs(a) << ' ' << std::norm(b)
              << std::arg(b) << std::conj(a) << std::real(a) << a.imag() << '\n';
    std::cout << std::polar(2.0, 0.5) << std::exp(a) << std::log(a) << std::sqrt(a) << std::sqrt(std::complex<double>(-4, 0)) << std::pow(a, 2) << std::pow(a, 0.5)
              << std::sin(a) << std::cos(a) << '\n';
    std::istringstream in("(1.5,2) 7 (3)");
    in >> a >> b >> c;
    a += 1.0;
    a *= b;
    std::cout << a << b << c << '\n';
#define LIMITS(T)                                                                                                                                      \
    std::cout << #T << ' ' << +std::numeric_limits<T>::min() << ' ' << +std::numeric_limits<T>::max() << ' ' << +std::numeric_limits<T>::lowest() << ' ' \
              << std::numeric_limits<T>::digits << ' ' << std::numeric_limits<T>::digits10 << ' ' << std::numeric_limits<T>::max_digits10 << ' '      \
              << std::numeric_limits<T>::is_signed << std::numeric_limits<T>::is_integer << std::numeric_limits<T>::has_infinity                      \
              << std::numeric_limits<T>::is_exact << std::numeric_limits<T>::is_modulo << std::numeric_limits<T>::is_iec559 << ' '                    \
              << +std::numeric_limits<T>::epsilon() << ' ' << +std::numeric_limits<T>::denorm_min() << ' ' << std::numeric_limits<T>::min_exponent     \
              << std::numeric_limits<T>::max_exponent << std::numeric_limits<T>::min_exponent10 << std::numeric_limits<T>::max_exponent10 << ' '      \
              << +std::numeric_limits<T>::infinity() << +std::numeric_limits<T>::quiet_NaN() << '\n';
    LIMITS(bool)
    LIMITS(char)
    LIMITS(signed char)
    LIMITS(unsigned char)
    LIMITS(short)
    LIMITS(unsigned short)
    LIMITS(int)
    LIMITS(unsigned)
    LIMITS(long)
    LIMITS(unsigned long)
    LIMITS(long long)
    LIMITS(float)
    LIMITS(double)
}
enum class Kind : short { a };
static_assert(std::is_same_v<std::decay_t<const int &>, int> && std::is_same_v<std::decay_t<int[3]>, int *> && std::is_same_v<std::decay_t<int(int)>, int (*)(int)>);
static_assert(std::is_same_v<std::underlying_type_t<Kind>, short> && std::is_same_v<std::common_type_t<int, double>, double>);
static_assert(std::is_base_of_v<Base, Derived> && !std::is_base_of_v<Derived, Base> && std::is_convertible_v<Derived *, Base *>);
static_assert(std::is_polymorphic_v<Base> && std::has_virtual_destructor<Base>::value && !std::is_abstract_v<Base> && std::is_enum_v<Kind>);
static_assert(std::is_default_constructible_v<Base> && !std::is_default_constructible_v<Derived> && std::is_constructible_v<Derived, int>);
static_assert(std::is_invocable_v<void (*)(int), int> && !std::is_invocable_v<void (*)(int), Base> && std::is_invocable_r_v<double, int (*)(), void> == false);
static_assert(std::is_same_v<std::invoke_result_t<int (*)(char), char>, int> && std::is_function_v<int()> && !std::is_function_v<int>);
static_assert(std::is_copy_constructible_v<std::string> && !std::is_copy_constructible_v<std::unique_ptr<int>> && std::is_move_constructible_v<std::unique_ptr<int>>);
static_assert(std::is_trivially_copyable_v<int> && !std::is_trivially_copyable_v<std::string> && std::is_object_v<int> && std::is_scalar_v<int *>);
static_assert(std::conjunction_v<std::true_type, std::is_void<void>> && std::is_same_v<std::conditional_t<true, int, char>, int> && std::is_const_v<const int>);
static void threads()
{
    std::vector<int> results(4);
    std::mutex m;
    std::atomic<int> count{0};
    std::vector<std::thread> workers;
    for (int i = 0; i < 4; i++) {
        workers.emplace_back([&, i] {
            std::lock_guard<std::mutex> lock(m);
            results[i] = i * i;
            count++;
        });
        workers.back().join();
    }
    int value = 1;
    std::thread t([](int &v, int n) { v += n; }, std::ref(value), 5);
    std::cout << t.joinable();
    t.join();
    std::cout << t.joinable() << results[3] << count << value << ' ';
    auto f = std::async(std::launch::async, [](int a, int b) { return a * b; }, 6, 7);
    auto g = std::async(std::launch::deferred, [&] { value = 100; });
    g.get();
    std::promise<std::string> p;
    auto h = p.get_future();
    p.set_value("promised");
    std::packaged_task<int(int)> task([](int n) { return n + 1; });
    auto k = task.get_future();
    task(41);
    std::cout << f.get() << value << h.get() << k.get() << ' ';
    std::condition_variable cv;
    bool ready = true;
    std::unique_lock<std::mutex> lock(m);
    cv.wait(lock, [&] { return ready; });
    cv.notify_all();
    lock.unlock();
    std::once_flag once;
    for (int i = 0; i < 3; i++)
        std::call_once(once, [&] { count += 10; });
    std::scoped_lock both(m);
    int expected = 14;
    count.compare_exchange_strong(expected, 20);
    std::atomic<float> real{1.5f};
    std::atomic_flag flag = ATOMIC_FLAG_INIT;
    std::cout << lock.owns_lock() << count.load() << count.fetch_add(5) << count.exchange(1) << real.load() << flag.test_and_set() << flag.test_and_set() << '\n';
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
int main()
{
    pointers();
    choices();
    numbers();
    threads();
}
