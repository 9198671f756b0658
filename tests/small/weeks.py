"""A year of weekly looks: the law is a walk, and what is reported are a false alarm and a delay."""

import numpy as np
from scipy.special import bdtr

from simstudy import Call, Measure, Method, Parameter, Part, Rule, Scenario


def before_onset(alarm, onset, loss):
    return (alarm > 0) & ((alarm < onset) | (loss <= 0.0))


def at_or_after_onset(alarm, onset, loss):
    return (alarm >= onset) & (loss > 0.0)


def delay(alarm, onset):
    return alarm - onset


def policy(name, label):
    alarms = Part("alarm", "a look has raised the alarm", "alarm", at_least=1)
    return Method(
        name,
        label,
        "exact binomial test of each look",
        claim=Rule(
            parts=(alarms,),
            passes="alarm",
            otherwise="silence",
            claim="that the system has become worse",
            holds=lambda values: values["loss"] > 0.0,
        ),
        one_level=True,
    )


class Weeks(Scenario):
    """Every look tests n_cases fresh cases; from look onset on the accuracy is lower by loss."""

    name = "weeks"
    title = "the same test, every week"
    unit = "look"
    aims = "How often a weekly test cries wolf over a year, and how long it takes to see a loss"
    mechanism = "each look has n_cases fresh cases, right with the accuracy, from onset on with accuracy − loss"
    estimand_words = "loss of accuracy"
    parameters = (
        Parameter("n_cases", "cases of a look", "cases", "integer", 1, 100_000, required=True, role="size"),
        Parameter("accuracy", "accuracy before the loss", "proportion", low=0, high=1, open_high=True, required=True),
        Parameter("loss", "loss of accuracy", "proportion", low=0, high=1, required=True, role="effect", null=0.0),
        Parameter("looks", "weekly looks", "looks", "integer", 1, 520, default=52),
        Parameter("onset", "first look with the loss", "looks", "integer", 1, 520, default=20),
    )
    walk_columns = ("alarm",)
    methods = (
        policy("nominal", "every look at alpha"),
        policy("bonferroni", "every look at alpha over the number of looks"),
    )
    default_methods = ("nominal", "bonferroni")
    measures = (
        Measure(
            "false_alarm",
            "probability of an alarm before the onset, or ever without a loss",
            of=Call(before_onset, ("alarm", "onset", "loss")),
            better="less",
        ),
        Measure(
            "detected",
            "probability that the first alarm comes at the onset or after it",
            of=Call(at_or_after_onset, ("alarm", "onset", "loss")),
            better="more",
        ),
        Measure(
            "delay",
            "mean looks from the onset to the alarm, given an alarm at the onset or after it",
            "looks",
            of=Call(delay, ("alarm", "onset")),
            given=Call(at_or_after_onset, ("alarm", "onset", "loss")),
            error="mean",
            better="less",
        ),
    )
    target_variable = "detected"
    shows = ("false_alarm", "detected", "delay")

    def effect_range(self, values):
        return 0.0, values["accuracy"]

    def estimand(self, values):
        return values["loss"]

    def walk(self, values, method, level, alternative):
        n, looks = values["n_cases"], values["looks"]
        each = level / looks if method.name == "bonferroni" else level
        right = np.arange(n + 1)
        critical = np.flatnonzero(bdtr(right, n, values["accuracy"]) <= each)
        look = np.arange(1, looks + 1)
        accuracy = values["accuracy"] - values["loss"] * (look >= values["onset"])
        alarm = bdtr(critical.max(), n, accuracy) if critical.size else np.zeros(looks)
        silent = np.concatenate([[1.0], np.cumprod(1.0 - alarm)])
        yield np.append(look, 0)[:, None], np.append(silent[:-1] * alarm, silent[-1])
