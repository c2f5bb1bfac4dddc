"""Coefficients of the library's polynomials, computed anew: python3 coefficients.py [NAME...]

Enters: nothing but mpmath. Leaves: the files p_*.cuh. Each polynomial interpolates its function at the zeros of a Chebyshev
polynomial over the interval (which is within a factor of the best one's error), in 60 digits; the relative error that is left,
with the coefficients rounded to the type, stands beside it.
"""

import os
import struct
import sys

from mpmath import mp, mpf

mp.dps = 60


def rounded(value, single):
    """The nearest float or double."""
    if not single:
        return mpf(float(value))
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def interpolate(f, low, high, degree):
    """Coefficients, lowest first, of the polynomial through f at the Chebyshev nodes of [low, high]."""
    count = degree + 1
    nodes = [
        (low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)
    ]
    table = [f(x) for x in nodes]
    for order in range(1, count):  # Newton's divided differences
        for k in range(count - 1, order - 1, -1):
            table[k] = (table[k] - table[k - 1]) / (nodes[k] - nodes[k - order])
    result = [mpf(0)]
    for k in range(count - 1, -1, -1):
        shifted = [mpf(0)] + result
        for i, c in enumerate(result):
            shifted[i] -= nodes[k] * c
        shifted[0] += table[k]
        result = shifted
    return result[:count]


def worst(f, whole, low, high, coefficients):
    """Largest error relative to `whole` of the polynomial, of 400 points."""
    most = mpf(0)
    for k in range(401):
        x = low + (high - low) * k / 400
        p = mpf(0)
        for c in reversed(coefficients):
            p = p * x + c
        scale = abs(whole(x, f(x)))
        most = max(most, abs(p - f(x)) / scale if scale else mpf(0))
    return most


def literal(value, single):
    """As C has it, exactly; short where it is short."""
    short = f"{float(value):.9g}" if single else f"{float(value):.17g}"
    if not set(short) & set(".en"):
        short += ".0"
    return short + ("f" if single else "")


class File:
    """Functions that evaluate polynomials, for a file `p_NAME.cuh`."""

    def __init__(self, name, single):
        self.name, self.single, self.text = name, single, []

    def add(self, name, f, low, high, degree, weight=None, doc=None):
        """Adds `name`, the polynomial for f on [low, high]. `weight(x, f(x))`: what an error is relative to, if not f."""
        low, high = mpf(low), mpf(high)
        coefficients = [rounded(c, self.single) for c in interpolate(f, low, high, degree)]
        error = worst(f, weight or (lambda x, y: y), low, high, coefficients)
        kind, fma = ("float", "fmaf") if self.single else ("double", "fma")
        size = mp.nstr(mp.log(error, 2), 4) if error else "-inf"
        self.text.append(f"// {doc or name} on [{mp.nstr(low, 6)}, {mp.nstr(high, 6)}], to 2^{size}")
        self.text.append(f"__device__ inline {kind} __p_{name}({kind} x)\n{{")
        head, *rest = reversed(coefficients)
        self.text.append(f"    {kind} p = {literal(head, self.single)};")
        self.text += [f"    p = {fma}(p, x, {literal(c, self.single)});" for c in rest]
        self.text.append("    return p;\n}")

    def write(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"p_{self.name}.cuh")
        with open(path, "w") as file:
            file.write("// Written by coefficients.py.\n" + "\n".join(self.text) + "\n")


def series(terms):
    """A function from its Taylor series, for where the formula cancels."""
    return lambda x: mp.fsum(c * x**k for k, c in enumerate(terms))


def at(z):
    return mp.sqrt(z)


def of(f, limit):
    """f, and at or near 0 its limit there."""
    return lambda x: limit if abs(x) < mpf(10) ** -18 else f(x)


FACTORIAL = [mp.factorial(k) for k in range(90)]


def exponentials(file, d):
    """d: degrees."""
    half = mp.log(2) / 2 * mpf("1.001")
    file.add("exp" + file.suffix, series([1 / FACTORIAL[k + 2] for k in range(40)]), -half, half, d[0],
             lambda x, y: 1 / (x * x) if x else mpf(10) ** 30, "(e^x - 1 - x) / x^2")
    file.add("exp2" + file.suffix, of(lambda x: mp.expm1(x * mp.log(2)) / x, mp.log(2)), -0.5, 0.5, d[1],
             lambda x, y: 1 / abs(x) if x else mpf(10) ** 30, "(2^x - 1) / x")
    ten = mp.log10(2) / 2 * mpf("1.001")
    file.add("exp10" + file.suffix, of(lambda x: mp.expm1(x * mp.log(10)) / x, mp.log(10)), -ten, ten, d[2],
             lambda x, y: 1 / abs(x) if x else mpf(10) ** 30, "(10^x - 1) / x")
    file.add("expm1" + file.suffix, series([1 / FACTORIAL[k + 2] for k in range(60)]), mpf("-0.3"), mpf("0.51"), d[3],
             lambda x, y: 1 / abs(x) if x else mpf(10) ** 30, "(e^x - 1 - x) / x^2")


def hyperbolic(file, top, degree):
    file.add("tanh" + file.suffix, of(lambda z: (mp.tanh(at(z)) - at(z)) / at(z) ** 3, -mpf(1) / 3), 0, mpf(top) ** 2, degree,
             lambda z, y: 1 / z if z else mpf(10) ** 30, "(tanh r - r) / r^3, x = r^2")


def sinh(file, degree):
    file.add("sinh" + file.suffix, series([1 / FACTORIAL[2 * k + 3] for k in range(40)]), 0, mpf("1.01"), degree,
             lambda z, y: 1 / z if z else mpf(10) ** 30, "(sinh r - r) / r^3, x = r^2")


def trigonometry(file, d):
    top = (mp.pi / 4 * mpf("1.02")) ** 2
    quarter = mpf(1) / 16
    s = file.suffix
    alternating = lambda first, scale=1: [(-1) ** k * mpf(scale) ** (2 * k) / FACTORIAL[2 * k + first] for k in range(25)]
    file.add("sin" + s, series([-c for c in alternating(3)]), 0, top, d[0], lambda z, y: 1 / z if z else mpf(10) ** 30,
             "(sin r - r) / r^3, x = r^2")
    file.add("cos" + s, series(alternating(4)), 0, top, d[1], lambda z, y: 1 / z**2 if z else mpf(10) ** 30,
             "(cos r - 1 + r^2 / 2) / r^4, x = r^2")
    file.add("tan" + s, of(lambda z: (mp.tan(at(z)) - at(z)) / at(z) ** 3, mpf(1) / 3), 0, top, d[2],
             lambda z, y: 1 / z if z else mpf(10) ** 30, "(tan r - r) / r^3, x = r^2")
    pi = mp.pi
    file.add("sinpi" + s, series([-(pi**3) * c for c in alternating(3, pi)]), 0, quarter * mpf("1.001"), d[3],
             lambda z, y: pi / z if z else mpf(10) ** 30, "(sin(pi r) - pi r) / r^3, x = r^2")
    if file.single:
        file.add("cospi_tailf", series([pi**4 * c for c in alternating(4, pi)]), 0, quarter * mpf("1.001"), 2,
                 lambda z, y: 1 / z**2 if z else mpf(10) ** 30, "(cos(pi r) - 1 + pi^2 / 2 r^2) / r^4, x = r^2")
        return
    file.add("cospi" + s, series([-(pi**2) * c for c in alternating(2, pi)]), 0, quarter * mpf("1.001"), d[4],
             lambda z, y: 1 / z if z else mpf(10) ** 30, "(cos(pi r) - 1) / r^2, x = r^2")


def arcs(file, d):
    s = file.suffix
    file.add("atan" + s, of(lambda z: (mp.atan(at(z)) - at(z)) / at(z) ** 3, -mpf(1) / 3), 0, 1, d[0],
             lambda z, y: mp.atan(at(z)) / at(z) ** 3 if z else mpf(10) ** 30, "(atan r - r) / r^3, x = r^2")
    file.add("asin" + s, of(lambda z: (mp.asin(at(z)) - at(z)) / at(z) ** 3, mpf(1) / 6), 0, 0.25, d[1],
             lambda z, y: 1 / z if z else mpf(10) ** 30, "(asin r - r) / r^3, x = r^2")


def logarithms(file, degree):
    """By s = f / (2 + f), as (2 atanh(s) - 2 s) / s^3 in s^2."""
    top = (mp.sqrt(2) - 1) ** 2 / (mp.sqrt(2) + 1) ** 2 * mpf("1.01")
    file.add("log" + file.suffix, series([mpf(2) / (2 * k + 3) for k in range(60)]), 0, top, degree,
             lambda z, y: 1 / z if z else mpf(10) ** 30, "(2 atanh s - 2 s) / s^3, x = s^2")


def float_logarithms(file):
    low, high = mpf(2) / 3 - 1, mpf(4) / 3 - 1
    file.add("logf", of(lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, mpf(1) / 3), low * mpf("1.001"), high * mpf("1.001"), 8,
             lambda f, y: 1 / f**2 if f else mpf(10) ** 30, "(log(1 + x) - x + x^2 / 2) / x^3")
    file.add("log2f", of(lambda f: (mp.log1p(f) / mp.log(2) - f / mp.log(2)) / f**2, -mpf(1) / 2 / mp.log(2)),
             low * mpf("1.001"), high * mpf("1.001"), 9, lambda f, y: 1 / abs(f) if f else mpf(10) ** 30,
             "(log2(1 + x) - x / log(2)) / x^2")


def pow_logarithm(file):
    file.add("log_sf", series([mpf(2) / (2 * k + 3) for k in range(60)]), 0, mpf("0.02975"), 4, lambda z, y: 1 / z if z else mpf(10) ** 30,
             "(2 atanh s - 2 s) / s^3, x = s^2")


def pow_tail(file):
    file.add("log_s", series([mpf(2) / (2 * k + 5) for k in range(60)]), 0, mpf("0.02975"), 8, lambda z, y: 1 / z**2 if z else mpf(10) ** 30,
             "(2 atanh s - 2 s - 2/3 s^3) / s^5, x = s^2")


def scaled_erfc(t):
    """(1 + 2 x) erfcx(x) with t = (x - 4) / (x + 4). (M. Shepherd, J. Laframboise: Chebyshev approximation of (1 + 2x) e^x^2 erfc x, 1981.)"""
    if t > 1 - mpf(10) ** -25:
        return 2 / mp.sqrt(mp.pi)
    x = 4 * (1 + t) / (1 - t)
    if x > 60:  # asymptotic series
        total, term = mpf(0), mpf(1)
        for k in range(1, 40):
            total += term
            term *= -(2 * k - 1) / (2 * x * x)
        return (1 + 2 * x) * total / (x * mp.sqrt(mp.pi))
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def errors(file):
    file.add("erfcx", scaled_erfc, -1, 1, 25, doc="(1 + 2 r) e^(r^2) erfc r, x = (r - 4) / (r + 4)")
    file.add("erf", of(lambda z: mp.erf(at(z)) / at(z) - 1, 2 / mp.sqrt(mp.pi) - 1), 0, mpf("1.01"), 13,
             lambda z, y: mpf(1), "erf(r) / r - 1, x = r^2")
    file.add("erfinv", of(lambda z: mp.erfinv(at(z)) / at(z), mp.sqrt(mp.pi) / 2), 0, mpf("0.2501"), 15,
             doc="erfinv(r) / r, x = r^2")
    def tail(t):
        s = 4 * (1 + t) / (1 - t)
        x = s
        for _ in range(60):  # Newton on log erfc(x) + s^2
            scaled = scaled_erfc((x - 4) / (x + 4)) / (1 + 2 * x)
            step = (mp.log(scaled) - x * x + s * s) * scaled * mp.sqrt(mp.pi) / 2
            x += step
            if abs(step) < mpf(10) ** -40:
                break
        return x / s
    file.add("erfcinv", tail, mpf("-0.66"), mpf("0.75"), 14, doc="erfcinv(e^(-s^2)) / s, x = (s - 4) / (s + 4)")


def gammas(file):
    file.add("gamma", lambda r: mp.gamma(2 + r), mpf("-0.5001"), mpf("0.5001"), 19, doc="gamma(2 + x)")
    file.add("stirling", of(lambda u: mp.gamma(1 / u) / (mp.sqrt(2 * mp.pi) * mp.exp(-1 / u) * (1 / u) ** (1 / u - mpf(1) / 2)), mpf(1)),
             mpf(1) / 180, mpf(1) / 11, 10, doc="gamma(r) / (sqrt(2 pi) r^(r - 1/2) e^-r), x = 1 / r")
    file.add("lgamma", of(lambda r: mp.loggamma(2 + r) / r, 1 - mp.euler), mpf("-0.7201"), mpf("0.5001"), 27, doc="lgamma(2 + x) / x")
    def rest(u):
        x = 1 / mp.sqrt(u)
        return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x
    file.add("lgamma_rest", of(rest, mpf(1) / 12), mpf(10) ** -12, mpf(1) / 121, 7, doc="(lgamma(r) - (r - 1/2) log r + r - log(2 pi) / 2) r, x = 1 / r^2")


def around(file, name, f, zero, low, high, degree):
    """f on [low, high] in x - (low + high) / 2, divided by x - zero if there is one."""
    low, high = mpf(low), mpf(high)
    centre = mpf(float((low + high) / 2))
    part = (lambda x: f(x) / (x - zero)) if zero else f
    file.add(name, lambda d: part(centre + d), low - centre, high - centre, degree, doc=f"of r = x + {mp.nstr(centre, 17)}")


def bessels(file):
    j, y, third = mp.besselj, mp.bessely, mpf(10) ** 30
    j0, j1, y0, y1 = (lambda x: j(0, x)), (lambda x: j(1, x)), (lambda x: y(0, x)), (lambda x: y(1, x))
    file.add("j0_a", of(lambda z: (j0(at(z)) - 1) / z, -mpf(1) / 4), 0, mpf("1.7"), 9, lambda z, f: 1 / z if z else third)
    around(file, "j0_b", j0, mp.besseljzero(0, 1), "1.3", 4, 18)
    around(file, "j0_c", j0, mp.besseljzero(0, 2), 4, "7.1", 19)
    around(file, "j0_d", j0, mp.besseljzero(0, 3), "7.1", 8, 14)
    file.add("j1_a", of(lambda z: (j1(at(z)) / at(z) - mpf(1) / 2) / z, -mpf(1) / 16), 0, mpf("3.7"), 10, lambda z, f: 1 / z if z else third)
    around(file, "j1_b", j1, mp.besseljzero(1, 1), "1.9", "5.5", 20)
    around(file, "j1_c", j1, mp.besseljzero(1, 2), "5.5", 8, 18)
    z0 = mp.besselyzero(0, 1)
    file.add("y0_a", lambda z: (y0(at(z)) - 2 / mp.pi * mp.log(at(z) / z0) * j0(at(z))) / (z - z0 * z0), mpf(10) ** -15, mpf("2.6"), 12)
    around(file, "y0_b", y0, None, "1.6", "2.6", 18)
    around(file, "y0_c", y0, mp.besselyzero(0, 2), "2.6", "5.5", 23)
    around(file, "y0_d", y0, mp.besselyzero(0, 3), "5.5", 8, 18)
    file.add("y1_a", lambda z: (y1(at(z)) - 2 / mp.pi * (mp.log(at(z)) * j1(at(z)) - 1 / at(z))) / at(z), mpf(10) ** -15, mpf("2.6"), 12)
    around(file, "y1_b", y1, mp.besselyzero(1, 1), "1.6", "2.8", 19)
    around(file, "y1_c", y1, mp.besselyzero(1, 2), "2.8", 7, 26)
    around(file, "y1_d", y1, mp.besselyzero(1, 3), 7, 8, 13)
    for n in (0, 1):
        def hankel(t, n=n):
            x = 8 / mp.sqrt(t)
            chi = x - (2 * n + 1) * mp.pi / 4
            scale = mp.sqrt(mp.pi * x / 2)
            p = scale * (j(n, x) * mp.cos(chi) + y(n, x) * mp.sin(chi))
            q = scale * (y(n, x) * mp.cos(chi) - j(n, x) * mp.sin(chi))
            return p, q * x / 8
        tiny = mpf(10) ** -8
        file.add(f"hankel_p{n}", lambda t: hankel(t)[0], tiny, 1, 11, doc=f"P of order {n}, x = (8 / r)^2")
        file.add(f"hankel_q{n}", lambda t: hankel(t)[1], tiny, 1, 11, doc=f"Q r / 8 of order {n}, x = (8 / r)^2")
    file.add("i0_a", of(lambda z: mp.besseli(0, 2 * at(z)), mpf(1)), 0, 16, 20, doc="I0(r), x = r^2 / 4")
    file.add("i1_a", of(lambda z: mp.besseli(1, 2 * at(z)) / at(z), mpf(1)), 0, 16, 20, doc="2 I1(r) / r, x = r^2 / 4")
    for n in (0, 1):
        file.add(f"i{n}_b", lambda t, n=n: mp.besseli(n, 16 / (1 + t)) * mp.exp(-16 / (1 + t)) * mp.sqrt(16 / (1 + t)),
                 mpf("-0.98"), 1, 25, doc=f"I{n}(r) e^-r sqrt(r), x = 16 / r - 1")


def make(name, suffix, builder, *arguments):
    file = File(name, suffix == "f")
    file.suffix = suffix
    builder(file, *arguments)
    return file


FILES = {
    "expf": lambda: make("expf", "f", exponentials, [4, 6, 6, 6]),
    "exp": lambda: make("exp", "", exponentials, [10, 12, 12, 13]),
    "sinhf": lambda: make("sinhf", "f", sinh, 3),
    "sinh": lambda: make("sinh", "", sinh, 8),
    "tanhf": lambda: make("tanhf", "f", hyperbolic, "0.56", 4),
    "tanh": lambda: make("tanh", "", hyperbolic, "0.56", 12),
    "trigf": lambda: make("trigf", "f", trigonometry, [3, 3, 6, 3, 3]),
    "trig": lambda: make("trig", "", trigonometry, [6, 6, 15, 7, 7]),
    "atanf": lambda: make("atanf", "f", arcs, [10, 5]),
    "atan": lambda: make("atan", "", arcs, [22, 12]),
    "logf": lambda: make("logf", "f", float_logarithms),
    "powf": lambda: make("powf", "f", pow_logarithm),
    "pow": lambda: make("pow", "", pow_tail),
    "erf": lambda: make("erf", "", errors),
    "gamma": lambda: make("gamma", "", gammas),
    "bessel": lambda: make("bessel", "", bessels),
    "log": lambda: make("log", "", logarithms, 7),
}


def main():
    for name in sys.argv[1:] or FILES:
        FILES[name]().write()


main()
