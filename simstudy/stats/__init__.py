"""Tests, intervals and estimators: plain functions on counts, for simulations and real tables alike."""

from simstudy.stats._interval_regression import (
    LatentSlope,
    interval_regression,
)
from simstudy.stats._kappa_clusters import (
    cohen_kappa_clustered,
    cohen_kappa_clustered_interval,
)
from simstudy.stats._kappa_raters import (
    krippendorff_alpha,
)
from simstudy.stats._kappa_report import (
    JudgeAgreement,
    distinct_answers,
    judge_agreement,
    judge_agreement_by_group,
)
from simstudy.stats._kappa_tables import (
    agreement_table,
    cohen_kappa,
    cohen_kappa_interval,
    cohen_kappa_standard_error,
    pabak,
)
from simstudy.stats._tango import (
    tango,
    tango_z,
)
from simstudy.stats.agreement import (
    kappa,
    kappa_adjusted,
    kappa_bootstrap,
    kappa_standard_error,
    kappa_wald,
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
from simstudy.stats.corrected_pairs import (
    ppi_difference,
    ppi_difference_interval,
    rogan_gladen_difference,
    rogan_gladen_difference_interval,
)
from simstudy.stats.correction import (
    rogan_gladen,
    rogan_gladen_interval,
)
from simstudy.stats.kappa_few_labels import (
    kappa_few,
    kappa_wilson_po,
)
from simstudy.stats.length import (
    Slope,
    case_slopes,
    length_table,
    mean_slope,
    pooled_slope,
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
from simstudy.stats.paired_margins import (
    equivalence_tango,
    equivalence_wald,
    noninferiority_tango,
    noninferiority_wald,
)
from simstudy.stats.pairwise import (
    contradictions,
    first_position_share,
    flip_rate,
    verdict_counts,
    verdict_counts_of_winners,
    verdict_disagreement,
    win_rates,
)
from simstudy.stats.position import (
    first_share_limits,
    first_share_log_odds,
    fit_position,
    position_bias,
    position_bias_exact,
    position_bias_midp,
    position_bias_score,
)
from simstudy.stats.prediction_powered import (
    ppi_mean,
    ppi_mean_interval,
    ppi_pp_mean,
    ppi_pp_mean_interval,
)
from simstudy.stats.probe import (
    BiasProbe,
    bias_probe,
)
from simstudy.stats.proportions import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    midp_proportion,
    wald,
    wilson,
)
from simstudy.stats.repeated_runs import (
    RerunSpread,
    pass_all,
    pass_any,
    rerun_spread,
)
from simstudy.stats.sample_size import (
    n_noninferiority,
    n_one_proportion,
    n_paired_mean,
    n_two_proportions,
)
from simstudy.stats.scores import (
    BootstrapT,
    SignFlips,
    bootstrap_t,
    holm,
    score_sign_flip,
    score_t,
    score_t_interval,
    sign_midp,
    wilcoxon,
    wilcoxon_normal,
)
from simstudy.stats.self_preference import (
    gap_sign_flip,
    gap_t_interval,
    gap_z_interval,
    log_preference,
    log_preference_exact,
    log_preference_midp,
    mean_gap,
)
from simstudy.stats.sign_flip import (
    sign_flip_counts,
    sign_flip_exact,
)
from simstudy.stats.slope_tests import (
    cluster_bootstrap_slope,
    percentile_p,
    set_bootstrap_slope,
    slope_t,
    slope_t_interval,
    slope_z,
    slope_z_interval,
)
from simstudy.stats.stability import (
    majority_error,
    majority_verdict,
    minority_law,
    minority_share,
    pair_disagreement,
    unstable_share,
)
from simstudy.stats.two_proportion_margins import (
    equivalence_farrington_manning,
    equivalence_wald_independent,
    noninferiority_farrington_manning,
    noninferiority_wald_independent,
)
from simstudy.stats.two_proportions import (
    fisher_exact,
    newcombe_independent,
    wald_independent,
    z_pooled,
    z_unpooled,
)
from simstudy.stats.two_raters import (
    RaterAgreement,
    rater_agreement,
)
from simstudy.stats.verdicts import (
    parse_verdict,
    read_verdicts,
)

__all__ = [
    "BiasProbe",
    "BootstrapT",
    "JudgeAgreement",
    "LatentSlope",
    "RaterAgreement",
    "RerunSpread",
    "SignFlips",
    "Slope",
    "agreement_table",
    "agresti_coull",
    "bias_probe",
    "bonett_price",
    "bootstrap_percentile",
    "bootstrap_reject",
    "bootstrap_t",
    "case_slopes",
    "clopper_pearson",
    "cluster_bootstrap_slope",
    "cluster_interval",
    "cluster_standard_error",
    "cluster_t",
    "cluster_z",
    "cohen_kappa",
    "cohen_kappa_clustered",
    "cohen_kappa_clustered_interval",
    "cohen_kappa_interval",
    "cohen_kappa_standard_error",
    "contradictions",
    "difference",
    "distinct_answers",
    "empirical_se_mcse",
    "equivalence_farrington_manning",
    "equivalence_tango",
    "equivalence_wald",
    "equivalence_wald_independent",
    "first_position_share",
    "first_share_limits",
    "first_share_log_odds",
    "fisher_exact",
    "fit_position",
    "flip_rate",
    "gap_sign_flip",
    "gap_t_interval",
    "gap_z_interval",
    "holm",
    "interval_regression",
    "jeffreys",
    "judge_agreement",
    "judge_agreement_by_group",
    "kappa",
    "kappa_adjusted",
    "kappa_bootstrap",
    "kappa_few",
    "kappa_standard_error",
    "kappa_wald",
    "kappa_wilson_po",
    "krippendorff_alpha",
    "length_table",
    "log_preference",
    "log_preference_exact",
    "log_preference_midp",
    "majority_error",
    "majority_verdict",
    "mcnemar_cc",
    "mcnemar_chi2",
    "mcnemar_exact",
    "mcnemar_midp",
    "mean_gap",
    "mean_mcse",
    "mean_slope",
    "mean_t",
    "mean_z",
    "midp_proportion",
    "minority_law",
    "minority_share",
    "n_noninferiority",
    "n_one_proportion",
    "n_paired_mean",
    "n_two_proportions",
    "newcombe",
    "newcombe_independent",
    "noninferiority_farrington_manning",
    "noninferiority_tango",
    "noninferiority_wald",
    "noninferiority_wald_independent",
    "pabak",
    "pair_disagreement",
    "paired_standard_error",
    "paired_t",
    "paired_t_interval",
    "paired_wald",
    "paired_z",
    "parse_verdict",
    "pass_all",
    "pass_any",
    "percentile_p",
    "phi",
    "pooled_slope",
    "position_bias",
    "position_bias_exact",
    "position_bias_midp",
    "position_bias_score",
    "ppi_difference",
    "ppi_difference_interval",
    "ppi_mean",
    "ppi_mean_interval",
    "ppi_pp_mean",
    "ppi_pp_mean_interval",
    "rate_mcse",
    "rater_agreement",
    "read_verdicts",
    "relative_precision",
    "rerun_spread",
    "rogan_gladen",
    "rogan_gladen_difference",
    "rogan_gladen_difference_interval",
    "rogan_gladen_interval",
    "score_sign_flip",
    "score_t",
    "score_t_interval",
    "set_bootstrap_slope",
    "sign_flip_counts",
    "sign_flip_exact",
    "sign_midp",
    "slope_t",
    "slope_t_interval",
    "slope_z",
    "slope_z_interval",
    "tango",
    "tango_z",
    "unpaired_z",
    "unstable_share",
    "verdict_counts",
    "verdict_counts_of_winners",
    "verdict_disagreement",
    "wald",
    "wald_independent",
    "wilcoxon",
    "wilcoxon_normal",
    "wilson",
    "wilson_half_width",
    "wilson_rate",
    "win_rates",
    "z_pooled",
    "z_unpooled",
]
