"""The smallest scenario of one's own: a coin without blocks, walk or kernel."""

from simstudy import Call, Method, Parameter, Scenario


class Coin(Scenario):
    """A scenario of one's own, smaller than any built-in one."""

    name = "coin"
    title, unit, aims, mechanism, estimand_words = "a coin", "toss", "is it fair", "tosses", "probability of heads"
    parameters = (
        Parameter("n", "tosses", "tosses", "integer", 1, required=True, role="size"),
        Parameter("p", "heads", "proportion", low=0, high=1, required=True, role="effect", null=0.5),
    )
    methods = (
        Method(
            "sign",
            "sign test",
            "Arbuthnot 1710",
            p_value=Call("simstudy.stats.paired:mcnemar_exact", ("tails", "heads")),
            estimate=Call("simstudy.scenarios.proportion:share", ("heads", "n")),
        ),
    )
    default_methods = ("sign",)

    def estimand(self, values):
        return values["p"]
