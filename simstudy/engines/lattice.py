"""The law of overlapping projections, by inverting their characteristic function on a lattice."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from simstudy.engines.chain import LARGEST, Floats, Ints, reach
from simstudy.errors import ComputationError

# rounding relative to the largest value: of a Fourier transform, and of the n-th power before it, per unit
NOISE, NOISE_PER_UNIT = 5e-15, 1e-16


def _smooth_size(width: int) -> int:
    """Return the smallest 2^a·3^b·5^c that is at least ``width``: fast lengths of a Fourier transform."""
    best = 1 << max(0, width - 1).bit_length()
    five = 1
    while five < best:
        three = five
        while three < best:
            two = three * (1 << max(0, math.ceil(width / three) - 1).bit_length())
            best = min(best, two) if two >= width else best
            three *= 3
        five *= 5
    return best


def _power(z: NDArray[np.complex128], n: int) -> NDArray[np.complex128]:
    """Return z**n by repeated squaring."""
    result = np.ones_like(z)
    while n:
        if n & 1:
            result *= z
        n >>= 1
        if n:
            z = z * z
    return result


def lattice(n: int, probabilities: Floats, vectors: Ints) -> tuple[Ints, Floats]:
    """Return rows and probabilities of one to three projections by inverting the characteristic function."""
    mean = probabilities @ vectors
    spread = probabilities @ (vectors - mean) ** 2
    bound = np.abs(vectors - mean).max(axis=0)
    lowest, highest = n * vectors.min(axis=0), n * vectors.max(axis=0)
    centre = np.rint(n * mean).astype(np.int64)
    half = np.array([reach(n, v, b) for v, b in zip(spread, bound, strict=True)])
    low, high = np.maximum(lowest, centre - half), np.minimum(highest, centre + half)
    sizes = [_smooth_size(int(width)) for width in high - low + 1]
    if math.prod(sizes) > LARGEST:
        raise ComputationError(
            f"The exact law has {math.prod(sizes):.1e} cells, above {LARGEST:.0e}. Use --engine counts, or a smaller n."
        )
    last = len(sizes) - 1
    frequencies = [(np.fft.rfftfreq if axis == last else np.fft.fftfreq)(size) for axis, size in enumerate(sizes)]
    waves = [2.0 * np.pi * f.astype(np.float64) for f in frequencies]
    characteristic = _characteristic(probabilities, vectors - mean, waves)
    offset = n * mean - low
    shifted = _power(characteristic, n)
    for axis, wave in enumerate(waves):
        shape = [1] * len(waves)
        shape[axis] = -1
        shifted = shifted * np.exp(1j * wave * offset[axis]).reshape(shape)
    # φ(ω) = Σ P(x)·e^{iωx} is the conjugate of NumPy's forward transform of a real sequence
    density = np.fft.irfftn(np.conj(shifted), s=sizes, axes=range(len(sizes)))
    density = density[tuple(slice(0, int(width)) for width in high - low + 1)]
    axes = [np.arange(a, b + 1) for a, b in zip(low, high, strict=True)]
    rows = np.stack([grid.ravel() for grid in np.meshgrid(*axes, indexing="ij")], axis=1)
    # cells below the rounding of the transform are noise, of either sign
    probability = density.ravel()
    keep = probability > (NOISE + n * NOISE_PER_UNIT) * probability.max()
    rows, probability = rows[keep], probability[keep]
    possible = _same_parity(n, vectors, rows) & _inside(n, vectors, rows)
    return rows[possible], probability[possible]


def _same_parity(n: int, vectors: Ints, rows: Ints) -> NDArray[np.bool_]:
    """Return which rows have the parities of every sum of n vectors: elsewhere the transform leaves rounding alone."""
    possible = np.ones(len(rows), np.bool_)
    for some in itertools.product((0, 1), repeat=vectors.shape[1]):
        if not ((vectors - vectors[0]) @ some % 2).any():
            possible &= (rows - n * vectors[0]) @ np.array(some) % 2 == 0
    return possible


def _inside(n: int, vectors: Ints, rows: Ints) -> NDArray[np.bool_]:
    """Return which rows lie in n times the convex hull of the vectors, as every sum of n vectors does."""
    possible = np.ones(len(rows), np.bool_)
    for corners in itertools.combinations(vectors, vectors.shape[1]):
        normal = _normal(np.array(corners))
        side = (vectors - corners[0]) @ normal
        if side.any() and ((side >= 0).all() or (side <= 0).all()):
            possible &= (rows - n * corners[0]) @ normal * (1 if side.max() > 0 else -1) >= 0
    return possible


def _normal(corners: Ints) -> Ints:
    """Return the normal of the line or plane through two or three points; 1 for a single one."""
    along = corners[1:] - corners[0]
    if len(corners) == 1:
        return np.ones(1, np.int64)
    return np.array([along[0][1], -along[0][0]]) if len(corners) == 2 else np.cross(along[0], along[1])


def _characteristic(probabilities: Floats, centred: Floats, waves: list[Floats]) -> NDArray[np.complex128]:
    """Return Σ_j p_j·exp(i·ω·v_j) on the grid of frequencies; centred vectors keep the phase small."""
    total: NDArray[np.complex128] = np.zeros([len(w) for w in waves], np.complex128)
    for p, vector in zip(probabilities, centred, strict=True):
        term: NDArray[np.complex128] = np.full((1,) * len(waves), p, np.complex128)
        for axis, wave in enumerate(waves):
            shape = [1] * len(waves)
            shape[axis] = -1
            term = term * np.exp(1j * wave * vector[axis]).reshape(shape)
        total += term
    return total
