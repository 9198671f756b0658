"""exp, log and the normal law against SciPy."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from simstudy.kernels import maths
from simstudy.kernels._jit import kernel

Vector = NDArray[np.float64]

# what the docstrings state; SciPy's and NumPy's own errors, up to 1 ulp = 2.2e-16, are part of it
EXP_RELATIVE = 2.3e-16
LOG_RELATIVE = 4.5e-16
LOG2_RELATIVE = 9e-16
QUANTILE_RELATIVE = 3e-15
NORMAL_RELATIVE = 7e-16
# SciPy's ndtr squares its argument with a rounding error that exp multiplies by t**2 / 2: 2.5e-13 at 37.5 (against
# 40-digit arithmetic our own error stays below 7e-16)
SCIPY_NDTR = 4e-16
# two errors of ours and that of SciPy's erfcx
MILLS_RELATIVE = 2e-15

N_ARGUMENTS = 1_000 if numba.config.DISABLE_JIT else 1_000_000
generator = np.random.default_rng(20240603)


@kernel
def exp_of(x: Vector, out: Vector) -> None:
    for index in range(x.shape[0]):
        out[index] = maths.exp(x[index])


@kernel
def log_of(x: Vector, out: Vector) -> None:
    for index in range(x.shape[0]):
        out[index] = maths.log(x[index])


@kernel
def quantile_of(x: Vector, out: Vector) -> None:
    for index in range(x.shape[0]):
        out[index] = maths.normal_quantile(x[index])


@kernel
def log2_of(x: Vector, out: Vector) -> None:
    for index in range(x.shape[0]):
        out[index] = maths.log2(x[index])


@kernel
def tail_of(x: Vector, tail: Vector, density: Vector) -> None:
    for index in range(x.shape[0]):
        tail[index], density[index] = maths.normal_tail(x[index])


@kernel
def cdf_of(x: Vector, out: Vector) -> None:
    for index in range(x.shape[0]):
        out[index] = maths.normal_cdf(x[index])


def exp(x: Vector) -> Vector:
    out = np.empty_like(x)
    exp_of(x, out)
    return out


def log(x: Vector) -> Vector:
    out = np.empty_like(x)
    log_of(x, out)
    return out


def quantile(x: Vector) -> Vector:
    out = np.empty_like(x)
    quantile_of(x, out)
    return out


def log2(x: Vector) -> Vector:
    out = np.empty_like(x)
    log2_of(x, out)
    return out


def normal_tail(x: Vector) -> tuple[Vector, Vector]:
    tail, density = np.empty_like(x), np.empty_like(x)
    tail_of(x, tail, density)
    return tail, density


def normal_cdf(x: Vector) -> Vector:
    out = np.empty_like(x)
    cdf_of(x, out)
    return out


def lattice(power: int, size: int) -> Vector:
    """Odd multiples of 2**-(power + 1): what the uniforms of `power` bits are."""
    return (generator.integers(0, 2**power, size) + 0.5) * 2.0**-power


@pytest.mark.parametrize("half_width", [1e-3, 1.0, 40.0, 700.0])
def test_exp_is_within_one_ulp(half_width: float) -> None:
    x = generator.uniform(-half_width, half_width, N_ARGUMENTS)
    np.testing.assert_allclose(exp(x), np.exp(x), rtol=EXP_RELATIVE, atol=0)


def test_exp_at_its_limits() -> None:
    limits = np.exp([-708.0, 708.0])
    np.testing.assert_allclose(exp(np.array([-np.inf, np.inf])), limits, rtol=EXP_RELATIVE)
    np.testing.assert_allclose(exp(np.array([-1e9, 1e9])), limits, rtol=EXP_RELATIVE)
    assert exp(np.zeros(1))[0] == 1.0


@pytest.mark.parametrize("half_width", [1e-6, 1.0, 40.0, 700.0])
def test_log_is_within_two_ulp(half_width: float) -> None:
    x = np.exp(generator.uniform(-half_width, half_width, N_ARGUMENTS))
    x = x[x != 1.0]
    np.testing.assert_allclose(log(x), np.log(x), rtol=LOG_RELATIVE, atol=0)


def test_log_of_powers_of_two_and_of_one() -> None:
    powers = np.arange(-1022.0, 1023.0)
    np.testing.assert_allclose(log(2.0**powers), powers * np.log(2.0), rtol=LOG_RELATIVE, atol=0)
    assert log(np.ones(1))[0] == 0.0


@pytest.mark.parametrize("power", [32, 52])
def test_quantile_on_the_lattices_of_the_uniforms(power: int) -> None:
    u = lattice(power, N_ARGUMENTS)
    np.testing.assert_allclose(quantile(u), special.ndtri(u), rtol=QUANTILE_RELATIVE, atol=0)


@pytest.mark.parametrize("power", [32, 52])
def test_quantile_in_the_tails(power: int) -> None:
    octaves = 2.0 ** -np.arange(1.0, power + 2)
    u = np.concatenate([octaves, octaves * 1.5, 1.0 - octaves[1:]])
    u = u[(u > 0) & (u < 1) & (u != 0.5)]
    np.testing.assert_allclose(quantile(u), special.ndtri(u), rtol=QUANTILE_RELATIVE, atol=0)


def test_quantile_has_no_step_where_its_formulas_meet() -> None:
    near = np.concatenate([0.075 + np.arange(-500, 500) * 2.0**-53, 0.925 + np.arange(-500, 500) * 2.0**-53])
    np.testing.assert_allclose(quantile(near), special.ndtri(near), rtol=QUANTILE_RELATIVE, atol=0)


def test_quantile_is_odd_about_one_half() -> None:
    u = lattice(52, min(N_ARGUMENTS, 10_000))
    np.testing.assert_array_equal(quantile(u), -quantile(1.0 - u))
    assert quantile(np.array([0.5]))[0] == 0.0


def test_known_quantiles() -> None:
    # standard normal table to 16 digits: z of .95, .975, .995
    known = [1.6448536269514722, 1.959963984540054, 2.5758293035489004]
    np.testing.assert_allclose(quantile(np.array([0.95, 0.975, 0.995])), known, rtol=QUANTILE_RELATIVE)


@pytest.mark.parametrize("half_width", [1e-6, 1.0, 40.0, 700.0])
def test_log2_is_within_four_ulp(half_width: float) -> None:
    x = np.exp(generator.uniform(-half_width, half_width, N_ARGUMENTS))
    x = x[x != 1.0]
    np.testing.assert_allclose(log2(x), np.log2(x), rtol=LOG2_RELATIVE, atol=0)


def test_log2_is_exact_at_powers_of_two() -> None:
    powers = np.arange(-1022.0, 1023.0)
    np.testing.assert_array_equal(log2(2.0**powers), powers)


@pytest.mark.parametrize("end", [1e-3, 1.0, 6.0, 10.0, 37.5])
def test_tail_and_density_of_the_normal_law(end: float) -> None:
    t = generator.uniform(0, end, N_ARGUMENTS)
    tail, density = normal_tail(t)
    error = NORMAL_RELATIVE + SCIPY_NDTR * (1.0 + t * t)
    assert np.all(np.abs(tail / special.ndtr(-t) - 1.0) <= error)
    mills = special.erfcx(t / np.sqrt(2)) * np.sqrt(np.pi / 2)
    np.testing.assert_allclose(tail / density, mills, rtol=MILLS_RELATIVE, atol=0)
    # NumPy's exponential of an argument that was rounded
    assert np.all(np.abs(density * np.sqrt(2 * np.pi) / np.exp(-0.5 * t * t) - 1.0) <= error)


def test_known_tails() -> None:
    """Tails and densities to 20 digits, from 40-digit arithmetic (mpmath 1.4.1: erfc(t/√2)/2, npdf)."""
    t = np.array([row[0] for row in TAILS])
    tail, density = normal_tail(t)
    np.testing.assert_allclose(tail, [row[1] for row in TAILS], rtol=NORMAL_RELATIVE, atol=0)
    np.testing.assert_allclose(density, [row[2] for row in TAILS], rtol=NORMAL_RELATIVE, atol=0)
    np.testing.assert_array_equal(normal_cdf(-t), tail)


def test_cdf_of_the_normal_law() -> None:
    z = generator.uniform(-8, 8, N_ARGUMENTS)
    np.testing.assert_allclose(normal_cdf(z), special.ndtr(z), rtol=NORMAL_RELATIVE + SCIPY_NDTR * 65, atol=0)
    np.testing.assert_allclose(normal_cdf(np.array([0.0, 40.0, np.inf])), [0.5, 1.0, 1.0], rtol=NORMAL_RELATIVE, atol=0)
    assert normal_cdf(np.array([-np.inf]))[0] == normal_cdf(np.array([-37.5]))[0] > 0


def test_bits_are_pinned() -> None:
    """The same bits on every machine: one rounding that differs changes these."""
    x = np.array([-20.5, -1.0, 1e-3, 0.7, 3.3])
    y = np.array([1e-300, 0.25, 0.999, 3.0, 7e10])
    u = np.array([2.0**-53, 1e-5, 0.3, 0.875, 0.9999])
    assert [value.hex() for value in exp(x)] == PINNED_EXP
    assert [value.hex() for value in log(y)] == PINNED_LOG
    assert [value.hex() for value in quantile(u)] == PINNED_QUANTILE
    assert [value.hex() for value in log2(y)] == PINNED_LOG2
    assert [value.hex() for pair in zip(*normal_tail(-x[:2]), strict=True) for value in pair] == PINNED_TAIL


PINNED_EXP = [
    "0x1.57a3afeed00acp-30",
    "0x1.78b56362cef38p-2",
    "0x1.0041919b7ee34p+0",
    "0x1.01c2a61268987p+1",
    "0x1.b1cd5e7807b7bp+4",
]
PINNED_LOG = [
    "-0x1.5963447f87fb5p+9",
    "-0x1.62e42fefa39efp+0",
    "-0x1.064670d979b73p-10",
    "0x1.193ea7aad030ap+0",
    "0x1.8f8c55585d000p+4",
]
PINNED_QUANTILE = [
    "-0x1.06b48528cea52p+3",
    "-0x1.10f3f8843a3dap+2",
    "-0x1.0c7e39582c5fep-1",
    "0x1.267d4c07b0566p+0",
    "0x1.dc08bb712897dp+1",
]
TAILS = [
    # t, Q(t), density
    (0.0, 0.5, 0.39894228040143267794),
    (0.1, 0.46017216272297101633, 0.39695254747701176529),
    (1.0, 0.15865525393145705141, 0.2419707245191433498),
    (1.959963984540054, 0.025000000000000010876, 0.058445069805035382316),
    (3.3, 0.0004834241423837775071, 0.0017225689390536811513),
    (6.0, 9.865876450376981407e-10, 6.075882849823285487e-9),
    (8.1, 2.7479593923982284938e-16, 2.2588094031543088179e-15),
    (12.3, 4.5287069561587846514e-35, 5.6066569263038404561e-34),
    (20.7, 1.731851879019737858e-95, 3.5932612209698675467e-94),
    (30.1, 2.4226672179857587657e-199, 7.3002593842806107243e-198),
    (37.4, 1.953681561648992248e-306, 7.3119853455051102315e-305),
]
PINNED_LOG2 = [
    "-0x1.f24a09f1a8b89p+9",
    "-0x1.0000000000000p+1",
    "-0x1.7a6210ffb7151p-10",
    "0x1.95c01a39fbd69p+0",
    "0x1.20368cde1466ap+5",
]
PINNED_TAIL = ["0x1.1f6a3f82871edp-309", "0x1.711f6631b1effp-305", "0x1.44ed0bb7cb20bp-3", "0x1.ef8e58e331738p-3"]
