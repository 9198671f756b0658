"""win_rate against numbers of a program that shares nothing with the package.

That program, `scipy` and Python's whole numbers alone, integrates the products of two picks over the advantage by
adaptive quadrature (`scipy.integrate.quad`, pieces split where a pick turns), takes critical counts from binomial
tails in whole numbers, and sums SciPy's binomial probabilities over decisive pairs and wins; of averaged_passes, whose
trials are no binomial, it takes the joint law of wins and losses by the n-th power of its Fourier transform. Up to 150
pairs it was held to the joint law built up pair after pair, with a largest difference of 4e-13.
"""

from __future__ import annotations

import pytest

import simstudy

# of the two programs together
AGREED = 1e-11

# n_pairs, strength, beta, tie_band (strength_sd 1), protocol; the probabilities that the test alone, the rate alone
# and both adopt; the share of decisive trials, and the mean win rate among them
TABLE = [
    (
        50,
        0.3,
        1.0,
        0.5,
        "one_order",
        3.32557827579e-05,
        0.00248285743011,
        3.32557827579e-05,
        0.810013579161,
        0.331812227832,
    ),
    (50, 0.3, 1.0, 0.5, "consistent", 0.202257592494, 0.747093742023, 0.202257592494, 0.33087126951, 0.62718045281),
    (50, 0.3, 1.0, 0.5, "averaged", 0.243323020491, 0.711736133443, 0.243323020491, 0.624251609164, 0.599001460628),
    (
        50,
        0.3,
        1.0,
        0.5,
        "averaged_passes",
        0.266149837147,
        0.599747632029,
        0.266149837147,
        0.825033330303,
        0.562965636349,
    ),
    (
        150,
        0.0,
        1.0,
        0.5,
        "one_order",
        3.77919024471e-13,
        3.57660239927e-11,
        3.77919024471e-13,
        0.823500538007,
        0.26894142137,
    ),
    (150, 0.0, 1.0, 0.5, "consistent", 0.0375152793728, 0.246108526588, 0.0375152793728, 0.323820065606, 0.5),
    (150, 0.0, 1.0, 0.5, "averaged", 0.0397781918938, 0.169227424352, 0.0397781918938, 0.619188440364, 0.5),
    (150, 0.0, 1.0, 0.5, "averaged_passes", 0.0412342325143, 0.0552700090686, 0.0412342325143, 0.823500538007, 0.5),
    (150, 0.3, 0.0, 0.0, "one_order", 0.420216269362, 0.61482895747, 0.420216269362, 1, 0.561706803459),
    (150, 0.3, 0.0, 0.0, "consistent", 0.586608970578, 0.851859359209, 0.586608970578, 0.592330545868, 0.604176297997),
    (150, 0.3, 0.0, 0.0, "averaged", 0.586608970578, 0.851859359209, 0.586608970578, 0.592330545868, 0.604176297997),
    (150, 0.3, 0.0, 0.0, "averaged_passes", 0.667606727031, 0.667606727031, 0.667606727031, 1, 0.561706803459),
    (400, 0.0, 0.0, 0.5, "one_order", 0.0443952632613, 0.0374720431303, 0.0374720165938, 0.795945734366, 0.5),
    (400, 0.0, 0.0, 0.5, "consistent", 0.0423935149513, 0.104704986797, 0.0423935149513, 0.397972867183, 0.5),
    (400, 0.0, 0.0, 0.5, "averaged", 0.0442670906323, 0.0453227134962, 0.0439173364865, 0.718899283406, 0.5),
    (400, 0.0, 0.0, 0.5, "averaged_passes", 0.0621972727218, 0.0107034614508, 0.0107034614508, 0.795945734366, 0.5),
    (400, 0.3, 0.0, 0.0, "one_order", 0.795367595251, 0.699754425835, 0.699754425835, 1, 0.561706803459),
    (400, 0.3, 0.0, 0.0, "consistent", 0.935787252967, 0.955286869571, 0.935787252967, 0.592330545868, 0.604176297997),
    (400, 0.3, 0.0, 0.0, "averaged", 0.935787252967, 0.955286869571, 0.935787252967, 0.592330545868, 0.604176297997),
    (400, 0.3, 0.0, 0.0, "averaged_passes", 0.955376983849, 0.742227275941, 0.742227275941, 1, 0.561706803459),
    (
        1000,
        0.3,
        1.0,
        0.5,
        "one_order",
        5.02484970365e-31,
        4.49897459902e-37,
        4.49897459902e-37,
        0.810013579161,
        0.331812227832,
    ),
    (1000, 0.3, 1.0, 0.5, "consistent", 0.998528988609, 0.997937304881, 0.997937028716, 0.33087126951, 0.62718045281),
    (1000, 0.3, 1.0, 0.5, "averaged", 0.99951313642, 0.993538503762, 0.993538503762, 0.624251609164, 0.599001460628),
    (
        1000,
        0.3,
        1.0,
        0.5,
        "averaged_passes",
        0.999785961915,
        0.859968955732,
        0.859968955732,
        0.825033330303,
        0.562956812702,
    ),
]
# size at strength 0, strength_sd 1.5, no bias and no ties: the test alone, and with a least win rate of .55
SIZES = {
    (150, "one_order"): (0.04303555159298547, 0.04303555159298547),
    (150, "consistent"): (0.04000482521491183, 0.04000482521491183),
    (150, "averaged"): (0.04000482521491183, 0.04000482521491183),
    (150, "averaged_passes"): (0.0704392848780395, 0.0704392848780395),
    (400, "one_order"): (0.04941089345828241, 0.02552011156457407),
    (400, "consistent"): (0.043874407363798204, 0.04387439414762309),
    (400, "averaged"): (0.043874407363798204, 0.04387439414762309),
    (400, "averaged_passes"): (0.07196088782463361, 0.006990475298757718),
}
MEASURES = ("adopt_by_test", "adopt_by_rate", "adopt", "decisive_share", "win_rate")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "-".join(map(str, row[:5])))
def test_a_row_of_the_table(row):
    n_pairs, strength, beta, tie_band, method, *expected = row
    found = simstudy.power_curve(
        "win_rate", engine="exact", n_pairs=n_pairs, strength=strength, beta=beta, tie_band=tie_band, method=method
    )
    assert [found[name].item() for name in MEASURES] == pytest.approx(expected, abs=AGREED)
    assert found["power"].item() == pytest.approx(expected[2], abs=AGREED)


@pytest.mark.parametrize(("n_pairs", "method"), SIZES)
def test_size_by_the_way_of_counting(n_pairs, method):
    found = simstudy.power_curve(
        "win_rate", engine="exact", n_pairs=n_pairs, strength=0, strength_sd=1.5, method=method
    )
    expected = SIZES[n_pairs, method]
    assert [found[name].item() for name in ("adopt_by_test", "power_wrong")] == pytest.approx(expected, abs=AGREED)
