// <random>: the numbers of each engine and distribution.
#include <iostream>
#include <random>
#include <vector>

template <typename D, typename G> static void draw(const char *name, D d, G &g)
{
    std::cout << name << ':';
    double sum = 0;
    for (int i = 0; i < 2000; i++) {
        auto v = d(g);
        sum += double(v);
        if (i < 5)
            std::cout << ' ' << v;
    }
    std::cout << " sum " << sum << " range " << d.min() << ' ' << d.max() << '\n';
}
template <typename G> static void engine(const char *name, G g)
{
    std::cout << name << ' ' << G::min() << ' ' << G::max() << ':';
    for (int i = 0; i < 5; i++)
        std::cout << ' ' << g();
    g.discard(1000);
    std::cout << ' ' << g();
    g.seed(42);
    std::cout << ' ' << g();
    std::seed_seq q{1, 2, 3, 4, 5};
    g.seed(q);
    G h(g);
    std::cout << ' ' << g() << (g == h) << (g != h);
    h();
    std::cout << (g == h) << '\n';
}
template <typename G> static void distributions(const char *name, G g)
{
    std::cout << name << '\n';
    draw("int", std::uniform_int_distribution<int>(0, 99), g);
    draw("int", std::uniform_int_distribution<>(-5, 5), g);
    draw("int", std::uniform_int_distribution<>(), g);
    draw("unsigned", std::uniform_int_distribution<unsigned>(0, 0xffffffffu), g);
    draw("short", std::uniform_int_distribution<short>(-100, 100), g);
    draw("long", std::uniform_int_distribution<long>(-1000000000000, 1000000000000), g);
    draw("unsigned long", std::uniform_int_distribution<unsigned long>(), g);
    draw("float", std::uniform_real_distribution<float>(-1.0f, 1.0f), g);
    draw("double", std::uniform_real_distribution<double>(0.0, 10.0), g);
    draw("double", std::uniform_real_distribution<>(), g);
    draw("normal", std::normal_distribution<float>(0.0f, 1.0f), g);
    draw("normal", std::normal_distribution<double>(5.0, 2.0), g);
    draw("lognormal", std::lognormal_distribution<double>(0.0, 0.5), g);
    draw("exponential", std::exponential_distribution<double>(1.5), g);
    draw("exponential", std::exponential_distribution<float>(0.5f), g);
    draw("weibull", std::weibull_distribution<double>(2.0, 3.0), g);
    draw("extreme", std::extreme_value_distribution<double>(1.0, 2.0), g);
    draw("cauchy", std::cauchy_distribution<double>(0.0, 1.0), g);
    draw("gamma", std::gamma_distribution<double>(2.0, 2.0), g);
    draw("gamma", std::gamma_distribution<double>(0.5, 1.0), g);
    draw("chi", std::chi_squared_distribution<double>(3.0), g);
    draw("student", std::student_t_distribution<double>(4.0), g);
    draw("fisher", std::fisher_f_distribution<double>(2.5, 4.0), g);
    draw("fisher", std::fisher_f_distribution<float>(), g);
    draw("negative binomial", std::negative_binomial_distribution<int>(5, 0.3), g);
    draw("negative binomial", std::negative_binomial_distribution<>(), g);
    std::vector<double> ends{0, 1, 3, 7}, weights{1, 2, 0.5, 0};
    std::piecewise_constant_distribution<> constant(ends.begin(), ends.end(), weights.begin());
    std::piecewise_linear_distribution<> linear(ends.begin(), ends.end(), weights.begin());
    draw("piecewise constant", constant, g);
    draw("piecewise constant", std::piecewise_constant_distribution<>(), g);
    draw("piecewise constant", std::piecewise_constant_distribution<>({0.0, 2.0, 5.0}, [](double x) { return x * x + 1; }), g);
    draw("piecewise constant", std::piecewise_constant_distribution<float>(4, 0, 10, [](double x) { return x + 1; }), g);
    draw("piecewise linear", linear, g);
    draw("piecewise linear", std::piecewise_linear_distribution<>(), g);
    draw("piecewise linear", std::piecewise_linear_distribution<>({0.0, 2.0, 5.0}, [](double x) { return x * x + 1; }), g);
    draw("piecewise linear", std::piecewise_linear_distribution<>(4, 0, 10, [](double x) { return x + 1; }), g);
    std::cout << constant.densities()[2] << linear.densities()[1] << constant.intervals()[3] << (constant == constant) << '\n';
    draw("bernoulli", std::bernoulli_distribution(0.3), g);
    draw("geometric", std::geometric_distribution<int>(0.2), g);
    draw("poisson", std::poisson_distribution<int>(4.0), g);
    draw("poisson", std::poisson_distribution<int>(12.5), g);
    draw("poisson", std::poisson_distribution<int>(1000), g);
    draw("binomial", std::binomial_distribution<int>(9, 0.5), g);
    draw("binomial", std::binomial_distribution<int>(100, 0.3), g);
    draw("binomial", std::binomial_distribution<int>(1000, 0.9), g);
    draw("discrete", std::discrete_distribution<int>({10, 20, 30, 40}), g);
    std::vector<double> w{1, 1, 5};
    draw("discrete", std::discrete_distribution<>(w.begin(), w.end()), g);
    std::uniform_int_distribution<int> d(1, 6);
    std::cout << d.a() << d.b() << d(g, std::uniform_int_distribution<int>::param_type(100, 200)) << std::generate_canonical<double, 10>(g) << '\n';
}
int main()
{
    std::cout.precision(17);
    engine("minstd_rand0", std::minstd_rand0());
    engine("minstd_rand", std::minstd_rand(7));
    engine("default", std::default_random_engine(123));
    engine("mt19937", std::mt19937());
    engine("mt19937", std::mt19937(2024));
    engine("mt19937_64", std::mt19937_64(99));
    // Of log and exp the last bit is the C library's.
    std::cout.precision(14);
    distributions("mt19937", std::mt19937(42));
    distributions("mt19937_64", std::mt19937_64(42));
    distributions("default", std::default_random_engine(7));
    std::seed_seq q{9, 8, 7};
    std::mt19937 g(q);
    std::vector<unsigned> words(7);
    q.generate(words.begin(), words.end());
    std::cout << g() << ' ' << words[0] << ' ' << words[6] << '\n';
    std::random_device device;
    std::cout << (device.min() <= device()) << device.max() << '\n';
}
