"""Solving setting by setting: what is refused, which engine, progress, and units that are lost."""

import math

import numpy as np
import pytest

import simstudy
from simstudy.errors import InterruptedStudyError, ParameterError, RefusedError
from simstudy.solve import curve
from simstudy.solve.search import AT_NULL, NO_SUCH_EFFECT, WRONG_SIDE
from simstudy.solve.solver import Solver
from simstudy.study.plan import ask, collected_units, usable_units


def solver(question="size", **asked):
    method = asked.pop("method", None)
    return Solver(ask("paired", question, {"accuracy_a": 0.6, **asked}, method=method), None)


def test_each_point_at_each_level_is_solved_alone():
    made = solver(difference=[0.1, 0.2], alpha=[0.05, 0.01], comparisons=5)
    assert [(v["difference"], o.levels) for v, o in made.settings()] == [
        (0.1, (0.01,)),
        (0.1, (0.002,)),
        (0.2, (0.01,)),
        (0.2, (0.002,)),
    ]
    # three methods by default
    assert made.total == 12
    assert solver("mde", n_cases=30, method="tango").total == 1


@pytest.mark.parametrize(
    ("target", "mcse", "replications"),
    # p(1 − p)/R ≤ mcse² in steps of 1000, 2000, 4000, ... up to 1,024,000
    [
        (0.8, 0.02, 1000),
        (0.8, 0.01, 2000),
        (0.5, 0.01, 4000),
        (0.5, 0.0005, 1_024_000),
        # of two rates the one with the larger error decides
        ("power=0.8,power_wrong=0.01", 0.01, 2000),
    ],
)
def test_a_precision_decides_the_replications(target, mcse, replications):
    study = ask("paired", "size", {"accuracy_a": 0.6, "difference": 0.1, "mcse": mcse}, target=target)
    ((_, options),) = Solver(study, None).settings()
    assert (options.replications, options.mcse) == (replications, None)


def test_a_precision_is_one_of_rates():
    with pytest.raises(RefusedError, match="mcse is an error of rates"):
        simstudy.size("paired", accuracy_a=0.6, difference=0.1, method="tango", target="width=0.1", mcse=0.01)


def test_a_target_near_one_needs_replications():
    design = {"accuracy_a": 0.7, "difference": 0.2, "discordance": 0.4, "method": "paired_z", "engine": "counts"}
    with pytest.raises(ParameterError, match="give at least 10000"):
        simstudy.size("paired", target=0.999, replications=300, **design)
    with pytest.raises(ParameterError, match="give at least 1000"):
        simstudy.size("paired", target="power=0.8,power_wrong=0.01", replications=300, **design)
    # what the sentence names is enough
    found = simstudy.size("paired", target="power=0.8,power_wrong=0.01", replications=1000, **design)
    assert found["status"].item() == "found"


def test_exact_solving_says_how_far_it_is():
    told = []
    asked = {"accuracy_a": 0.5, "method": ["unpaired_z", "paired_z"], "target": "power_right=0.75"}
    simstudy.size("paired", difference=0.3, progress=lambda *what: told.append(what), **asked)
    assert (1, 0, "evaluations for answer 1 of 2") in told
    assert (1, 2, "answers") in told
    assert told[-1] == (2, 2, "answers")
    # the count begins anew with each answer, and goes up by one
    counts = [done for done, total, unit in told if unit.endswith("1 of 2")]
    assert counts == list(range(1, len(counts) + 1))


def test_stopping_says_how_many_evaluations_were_made():
    def stop(done, total, unit):
        if unit == "evaluations" and done == 3:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedStudyError, match="0 answers were done of 1, and 3 evaluations"):
        simstudy.size("paired", accuracy_a=0.5, difference=0.2, method="paired_z", progress=stop)


def test_a_search_that_costs_too_much_goes_on_with_counts(monkeypatch):
    asked = {"accuracy_a": 0.5, "difference": 0.2, "method": "paired_z", "seed": 3, "replications": 4000}
    exact = simstudy.size("paired", **asked)
    monkeypatch.setattr(curve, "POWER_SECONDS", 1e-4)
    counted = simstudy.size("paired", **asked)
    assert (exact["engine"].item(), counted["engine"].item()) == ("exact", "counts")
    # fixed seed; the interval misses for one seed in twenty
    assert counted["low"].item() <= exact["answer"].item() <= counted["high"].item()
    # who asks for exact answers gets them
    assert simstudy.size("paired", engine="exact", **asked)["answer"].item() == exact["answer"].item()


def test_unusable_units_are_collected_in_addition():
    plain = simstudy.size("paired", accuracy_a=0.7, difference=0.2, method="mcnemar_midp")
    lossy = simstudy.size("paired", accuracy_a=0.7, difference=0.2, method="mcnemar_midp", unusable=0.3)
    for name in ("answer", "low", "high", "first", "checked_from", "checked_to"):
        assert lossy[name].item() == collected_units(int(plain[name].item()), 0.3), name
    needed = int(lossy["answer"].item())
    assert usable_units(needed - 1, 0.3) < plain["answer"].item() <= usable_units(needed, 0.3)


def test_the_largest_size_counts_collected_units():
    asked = {"accuracy_a": 0.7, "difference": 0.2, "method": "mcnemar_midp", "unusable": 0.5}
    needed = int(simstudy.size("paired", **asked)["answer"].item())
    assert simstudy.size("paired", largest=needed, **asked)["status"].item() == "found"
    assert simstudy.size("paired", largest=needed - 2, **asked)["status"].item() == "outside the range"


def test_sizes_at_the_null_are_not_searched_for():
    asked = {"accuracy_a": 0.7, "difference": 0.0, "method": "mcnemar_exact"}
    for engine in ("auto", "counts"):
        found = simstudy.size("paired", engine=engine, **asked)
        assert (found["status"].item(), found["reason"].item()) == ("outside the range", AT_NULL)
        assert math.isnan(found["searched_from"].item())


def test_a_one_sided_test_looks_for_effects_of_its_own_sign():
    asked = {"n_cases": 100, "accuracy_a": 0.6, "method": "mcnemar_midp"}
    less = simstudy.mde("paired", alternative="less", **asked)
    assert less["answer"].item() < 0
    assert less.identical(simstudy.mde("paired", alternative="less", sign="negative", **asked))
    assert simstudy.mde("paired", alternative="greater", **asked)["answer"].item() > 0


def test_sizes_for_an_effect_against_a_one_sided_test_are_refused():
    asked = {"accuracy_a": 0.6, "method": "mcnemar_midp", "alternative": "less"}
    with pytest.raises(RefusedError, match=r"looks for difference below the null.*use alternative greater"):
        simstudy.size("paired", difference=[0.1, 0.2], **asked)
    both = simstudy.size("paired", difference=[-0.2, 0.2], **asked)
    assert both["status"].values[:, 0].tolist() == ["found", "outside the range"]
    assert both["reason"].values[:, 0].tolist() == ["", WRONG_SIDE]


def test_a_claim_that_is_one_sided_anyway_is_answered():
    """Below the margin nothing is found; that is an answer, not a wrong sign."""
    found = simstudy.size(
        "paired",
        accuracy_a=0.6,
        difference=-0.2,
        margin=0.1,
        method="noninferiority_tango",
        alternative="greater",
    )
    assert found["reason"].item() == WRONG_SIDE


def test_an_effect_of_a_sign_that_cannot_exist_is_unreachable():
    """Accuracy .2 with half of the cases discordant: B is better by at least .1."""
    found = simstudy.mde("paired", n_cases=1000, accuracy_a=0.2, discordance=0.5, sign="both", method="mcnemar_midp")
    assert found["status"].values[:, 0].tolist() == ["outside the range", "unreachable"]
    assert found["reason"].values[1, 0] == NO_SUCH_EFFECT


def test_a_side_that_ends_at_the_null_has_no_effect():
    """Accuracy .25 with half of the cases discordant: B is worse by nothing at most."""
    found = simstudy.mde("paired", n_cases=30, accuracy_a=0.25, discordance=0.5, sign="negative", method="mcnemar_midp")
    assert (found["reason"].item(), found["searched_to"].item()) == (NO_SUCH_EFFECT, 0.0)


def test_non_inferiority_starts_at_its_margin():
    asked = {"n_cases": 200, "accuracy_a": 0.7, "margin": 0.1, "method": "noninferiority_tango"}
    found = simstudy.mde("paired", **asked)
    effect = found["answer"].item()
    assert found["searched_from"].item() == -0.1
    assert -0.1 < effect < 0.1
    power = simstudy.power_curve("paired", difference=[-0.1, effect], engine="exact", **asked)["power"].values[:, 0]
    assert power[0] <= 0.06
    assert power[1] == pytest.approx(0.8, abs=1e-6)


def test_equivalence_has_no_smallest_effect():
    with pytest.raises(RefusedError, match="no smallest effect"):
        simstudy.mde("paired", n_cases=100, accuracy_a=0.7, margin=0.1, method="equivalence_tango")


def test_levels_are_solved_alone_and_comparisons_divide_them():
    asked = {"n_cases": 100, "accuracy_a": 0.7, "method": "mcnemar_midp"}
    levels = simstudy.mde("paired", alpha=[0.05, 0.01], **asked)
    assert levels["answer"].values[1, 0] == simstudy.mde("paired", alpha=0.05, comparisons=5, **asked)["answer"].item()
    assert levels["answer"].values[0, 0] < levels["answer"].values[1, 0]
    # a stricter level needs more cases
    sizes = simstudy.size("paired", alpha=[0.05, 0.01], accuracy_a=0.7, difference=0.1, method="mcnemar_midp")
    assert sizes["answer"].values[0, 0] < sizes["answer"].values[1, 0]


def test_both_signs_are_solved_as_each_alone():
    asked = {"n_cases": [30, 60], "accuracy_a": 0.8, "method": "mcnemar_midp,tango"}
    both = simstudy.mde("paired", sign="both", **asked)
    for sign in ("positive", "negative"):
        alone = simstudy.mde("paired", sign=sign, **asked)
        np.testing.assert_array_equal(both["answer"].sel(sign=sign).values, alone["answer"].values)
