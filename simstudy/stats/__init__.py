"""Tests, intervals and estimators: plain functions on counts, for simulations and real tables alike."""

from simstudy.stats._tango import (
    tango,
    tango_z,
)
from simstudy.stats.bootstrap import (
    bootstrap_percentile,
    bootstrap_reject,
)
from simstudy.stats.clusters import (
    cluster_interval,
    cluster_standard_error,
    cluster_t,
    cluster_z,
)
from simstudy.stats.margins import (
    equivalence_tango,
    equivalence_wald,
    noninferiority_tango,
    noninferiority_wald,
)
from simstudy.stats.mcnemar import (
    mcnemar_cc,
    mcnemar_chi2,
    mcnemar_exact,
    mcnemar_midp,
)
from simstudy.stats.means import (
    mean_t,
    mean_z,
)
from simstudy.stats.monte_carlo import (
    empirical_se_mcse,
    mean_mcse,
    rate_mcse,
    relative_precision,
    wilson_half_width,
    wilson_rate,
)
from simstudy.stats.paired import (
    difference,
    paired_t,
    paired_z,
    phi,
    unpaired_z,
)
from simstudy.stats.paired_intervals import (
    bonett_price,
    newcombe,
    paired_standard_error,
    paired_t_interval,
    paired_wald,
)
from simstudy.stats.proportions import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    wald,
    wilson,
)
from simstudy.stats.sample_size import (
    n_one_proportion,
    n_paired_mean,
    n_two_proportions,
)
from simstudy.stats.sign_flip import (
    sign_flip_counts,
    sign_flip_exact,
)
from simstudy.stats.two_proportions import (
    fisher_exact,
    newcombe_independent,
    wald_independent,
    z_pooled,
    z_unpooled,
)

__all__ = [
    "agresti_coull",
    "bonett_price",
    "bootstrap_percentile",
    "bootstrap_reject",
    "clopper_pearson",
    "cluster_interval",
    "cluster_standard_error",
    "cluster_t",
    "cluster_z",
    "difference",
    "empirical_se_mcse",
    "equivalence_tango",
    "equivalence_wald",
    "fisher_exact",
    "jeffreys",
    "mcnemar_cc",
    "mcnemar_chi2",
    "mcnemar_exact",
    "mcnemar_midp",
    "mean_mcse",
    "mean_t",
    "mean_z",
    "n_one_proportion",
    "n_paired_mean",
    "n_two_proportions",
    "newcombe",
    "newcombe_independent",
    "noninferiority_tango",
    "noninferiority_wald",
    "paired_standard_error",
    "paired_t",
    "paired_t_interval",
    "paired_wald",
    "paired_z",
    "phi",
    "rate_mcse",
    "relative_precision",
    "sign_flip_counts",
    "sign_flip_exact",
    "tango",
    "tango_z",
    "unpaired_z",
    "wald",
    "wald_independent",
    "wilson",
    "wilson_half_width",
    "wilson_rate",
    "z_pooled",
    "z_unpooled",
]
