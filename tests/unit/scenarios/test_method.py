"""What a method reads, and what it decides."""

from __future__ import annotations

from simstudy.scenarios.decisions import DIFFERENCE, Exceeds
from simstudy.scenarios.method import Method
from simstudy.scenarios.parts import Call
from simstudy.scenarios.rules import Part, Rule

P_VALUE = Call("simstudy.stats.mcnemar:mcnemar_exact", ("n10", "n01"))
SHARE = Call("simstudy.scenarios.proportion:share", ("n01", "n_cases"))


def test_a_claim_is_a_ready_made_name_or_a_decision():
    assert Method("m", "", "", p_value=P_VALUE).decision is DIFFERENCE
    assert Method("m", "", "", p_value=P_VALUE, claim="exceeds").decision == Exceeds()
    own = Exceeds(null="bar")
    assert Method("m", "", "", p_value=P_VALUE, claim=own).decision is own


def test_a_method_reads_what_its_functions_are_given():
    method = Method("m", "", "", p_value=P_VALUE, estimate=SHARE, needs=("margin",))
    assert method.calls == (P_VALUE, SHARE)
    assert method.columns == ("n10", "n01", "n_cases")
    assert method.reads("margin")
    assert method.reads("n_cases")
    assert not method.reads("alpha")
    assert not method.resamples
    assert Method("m", "", "", interval=Call("a:b", ("x", "seed"))).resamples


def test_a_rule_reads_what_its_parts_read_and_the_bounds_that_have_a_name():
    rule = Rule(
        parts=(
            Part("test", "p is small", P_VALUE, at_most="alpha"),
            Part("rate", "enough are won", SHARE, at_least="bar"),
            Part("many", "many were seen", "n01", at_least=3),
        )
    )
    method = Method("m", "", "", claim=rule)
    assert method.calls == (P_VALUE, SHARE)
    assert method.columns == ("n10", "n01", "n_cases")
    assert method.reads("bar")
    assert not method.reads("alpha")
