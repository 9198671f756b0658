"""exp, log and the normal law from additions, products, divisions and square roots alone.

The libraries that compilers link differ in the last bits of ``exp`` and ``log`` from system to system. The
functions here use only operations that IEEE 754 rounds in one way, and numba contracts none of them into a
fused multiply-add (``fastmath`` is off), so a seed gives the same bits on every machine. They call no library
and loop over a fixed number of coefficients only: LLVM can turn the one choice, in the quantile, into a select
and compute several values at once.

Stated errors bound the ones found against SciPy and NumPy on a million arguments (tests/unit/kernels/test_maths.py).
"""

from __future__ import annotations

import math

import numpy as np

from simstudy.kernels._jit import helper

LOG2_E = 1.4426950408889634
# ln 2 in two parts; the first ends in 21 zero bits, so that its product with an exponent is exact
LN2_HIGH = 0.6931471803691238
LN2_LOW = 1.9082149292705877e-10

# adding 1.5 * 2**52 rounds a double to an integer, which then stands in the low bits of the sum
ROUNDER = 6755399441055744.0
ROUNDER_BITS = np.int64(0x4338000000000000)
ONE_BITS = np.int64(0x3FF0000000000000)
SQRT_HALF_BITS = np.int64(0x3FE6A09E667F3BCD)
MANTISSA_BITS = np.int64(52)

# 1/13! ... 1/2!, 1/1! of the exponential, and 1/21, 1/19 ... 1/3 of the inverse hyperbolic tangent
EXP_SERIES = tuple(1.0 / math.factorial(k) for k in range(13, 0, -1))
ARTANH_SERIES = tuple(1.0 / k for k in range(21, 1, -2))

CENTRAL = 0.425
CENTRAL_SQUARED = 0.180625
TAIL_START = 1.5
CENTRAL_NUMERATOR = (
    -258.3191306985884447,
    4707.253022818626055,
    23763.92273863898473,
    24524.01130300966642,
    9407.414563476053461,
    1597.458378810025724,
    121.6709662599118328,
    3.387132872796363323,
)
CENTRAL_DENOMINATOR = (
    6269.280530712031226,
    16094.8845878930293,
    12150.16005136382532,
    3829.680583139212534,
    566.5525370982711008,
    38.92677869355515551,
    1.0,
)
TAIL_NUMERATOR = (
    0.001302180877692198593,
    0.03747423914629178047,
    0.373245190340091209,
    1.77750573449127037,
    4.550591517748770541,
    6.397259978668202948,
    4.576770508637352861,
    1.25137292905727779,
)
TAIL_DENOMINATOR = (
    1.375766764575728516e-9,
    0.0009206448188134297863,
    0.02512802306503062203,
    0.2286887448615114708,
    0.960361118384077609,
    2.077337234344571412,
    2.271600652408514742,
    1.0,
)
INVERSE_ROOT_2PI = 0.3989422804014327
# 2**27 + 1 parts a double into two halves whose products are exact (Veltkamp 1968)
SPLITTER = 134217729.0
TAIL_LIMIT = 37.5
MILLS_CENTRE = 6.0
MILLS_EVEN = (
    -1.073378508887392024e-8,
    1.278220866973943925e-7,
    -9.995900386339386634e-7,
    4.415137605210150133e-6,
    0.00003779282422675265993,
    -0.0008689939136464210294,
    -0.007059819570765416176,
    -0.01976647920376240052,
    -0.01614151733305693998,
    0.03981142456244699978,
    0.4534552002711278899,
)
MILLS_ODD = (
    -8.176566793131046714e-9,
    -1.943207302713966935e-8,
    1.800190278138213603e-6,
    -0.00002636186042758545167,
    0.0001194923929700097796,
    0.002935654963213077676,
    0.01324686422214911652,
    0.02259246705811125924,
    -0.004373386779443282916,
    -0.0850253623057721736,
)


@helper
def exp(x: float) -> float:
    """Return e**x with a relative error below 2.3e-16 (1 ulp); beyond -708 and 708 the value at the limit."""
    # x = k ln 2 + r with |r| <= ln(2)/2; the Taylor sum of e**r to degree 13 leaves 5e-18, and k goes into the exponent
    # bits.
    x = min(max(x, -708.0), 708.0)
    shifted = np.float64(x * LOG2_E + ROUNDER)
    k = shifted - ROUNDER
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    series = 1.0 + r * polynomial(r, EXP_SERIES)
    power = np.int64((shifted.view(np.int64) << MANTISSA_BITS) + ONE_BITS).view(np.float64)
    return series * power


@helper
def log(x: float) -> float:
    """Return the natural logarithm of a positive normal number, with a relative error below 4.5e-16 (2 ulp)."""
    # x = 2**k m with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh(s), s = (m - 1)/(m + 1), |s| <= .1716, summed to
    # s**21.
    bits = np.float64(x).view(np.int64)
    exponent = (bits - SQRT_HALF_BITS) >> MANTISSA_BITS
    k = np.int64(exponent + ROUNDER_BITS).view(np.float64) - ROUNDER
    f = np.int64(bits - (exponent << MANTISSA_BITS)).view(np.float64) - 1.0
    s = f / (2.0 + f)
    s2 = s * s
    series = s2 * polynomial(s2, ARTANH_SERIES)
    # log m = f - s (f - 2 series): the large term enters exactly
    return k * LN2_HIGH + (f - (s * (f - 2.0 * series) - k * LN2_LOW))


@helper
def log2(x: float) -> float:
    """Return the logarithm to base 2, with a relative error below 9e-16 (4 ulp), and none at powers of two."""
    bits = np.float64(x).view(np.int64)
    exponent = (bits - SQRT_HALF_BITS) >> MANTISSA_BITS
    k = np.int64(exponent + ROUNDER_BITS).view(np.float64) - ROUNDER
    return k + log(np.int64(bits - (exponent << MANTISSA_BITS)).view(np.float64)) * LOG2_E


@helper
def normal_quantile(u: float) -> float:
    """Return the z below which a standard normal variable lies with probability u in [2**-54, 1 - 2**-53]."""
    # Its relative error is below 3e-15; the quantiles of u and 1 - u differ in sign alone where 1 - u is exact. Two
    # rational functions, fitted by Remez exchange in 50-digit arithmetic (tests/oracle/kernels_fit.py) to relative
    # errors of 1.1e-15 (in .425**2 - q**2, q = u - 1/2, |q| <= .425) and 2.3e-16 (in the square root of -log of the
    # smaller tail). Computed values fall by up to one unit in the last place where they should rise. The cut and the
    # variables are those of Wichura, M. J. (1988). Algorithm AS 241. Applied Statistics 37, 477-484.
    # doi:10.2307/2347330.
    q = u - 0.5
    if abs(q) <= CENTRAL:
        return q * _central_ratio(CENTRAL_SQUARED - q * q)
    z = _tail_ratio(math.sqrt(-log(min(u, 1.0 - u))) - TAIL_START)
    return z if q > 0.0 else -z


@helper
def normal_tail(t: float) -> tuple[float, float]:
    """Return Q(t) = 1 - Phi(t) and the density at t >= 0, with relative errors below 7e-16 (3 ulp)."""
    # Beyond 37.5 the values at the limit, some 1e-308, are returned. Q(t) = exp(-t**2 / 2) P(v) / (1 + t) with v = (t -
    # 6) / (t + 6) and a polynomial P of degree 20, fitted by Remez exchange in 50-digit arithmetic
    # (tests/oracle/kernels_fit.py) to a relative error of 1.8e-16 on [0, 38]. The rounding error of t**2, which the
    # exponential would multiply, is computed and put right (Dekker 1971). The variable is that of Shepherd, M. M.,
    # Laframboise, J. G. (1981). Mathematics of Computation 36, 249-253.
    t = min(t, TAIL_LIMIT)
    square = t * t
    shifted = t * SPLITTER
    high = shifted - (shifted - t)
    low = t - high
    lost = ((high * high - square) + 2.0 * high * low) + low * low
    bell = exp(-0.5 * square) * (1.0 - 0.5 * lost)
    v = (t - MILLS_CENTRE) / (t + MILLS_CENTRE)
    # in halves: LLVM does not unroll a loop over all 21 coefficients, and then computes one value at a time
    series = polynomial(v * v, MILLS_EVEN) + v * polynomial(v * v, MILLS_ODD)
    return bell * (series / (1.0 + t)), bell * INVERSE_ROOT_2PI


@helper
def normal_cdf(z: float) -> float:
    """Return Phi(z), with a relative error below 7e-16 (3 ulp), in the lower tail too; constant beyond 37.5."""
    tail, _ = normal_tail(abs(z))
    return 1.0 - tail if z > 0.0 else tail


@helper
def _central_ratio(y: float) -> float:
    return polynomial(y, CENTRAL_NUMERATOR) / polynomial(y, CENTRAL_DENOMINATOR)


@helper
def _tail_ratio(t: float) -> float:
    return polynomial(t, TAIL_NUMERATOR) / polynomial(t, TAIL_DENOMINATOR)


@helper
def polynomial(x: float, coefficients: tuple[float, ...]) -> float:
    """Evaluate a polynomial by Horner's rule; coefficients run from the highest power down to the constant."""
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value
