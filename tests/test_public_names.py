"""The public names are a promise: a name added or removed is a line changed here."""

from importlib import import_module

import pytest

import suffice

PROMISED = {
    "suffice": [
        "__version__", "baselines", "bases", "compat", "datasets", "distributions", "engine", "evaluation", "forget",
        "generative", "glm", "inference", "likelihoods", "linalg", "linear", "load", "merge", "mixtures", "plots",
        "prepare", "save", "show_versions", "similarity", "statistics", "study",
    ],
    "suffice.baselines": ["LastValue", "MajorityClassifier", "MeanRegressor", "MedianRegressor", "PriorClassifier"],
    "suffice.compat": ["Report", "check", "swapped"],
    "suffice.linalg": [
        "Eigenbasis", "Linearity", "angles", "are_independent", "check_linear", "complement", "coordinates",
        "diagonalize_together", "dimension", "eigenbasis", "orthonormal_basis", "project", "pseudo_inverse",
    ],
    "suffice.mixtures": [
        "BernoulliMixture", "CategoricalMixture", "ComponentSelection", "GaussianMixture", "GibbsGaussianMixture",
        "Imputation", "MixtureModel", "MultinomialMixture", "PoissonMixture", "align", "select_components",
    ],
    "suffice.bases": [
        "Basis", "BasisSearch", "BasisSum", "CustomBasis", "FourierBasis", "GaussianBasis", "Interactions",
        "Polynomial", "SigmoidBasis", "SplineBasis", "TanhBasis", "WaveletBasis", "search_basis",
        "sigmoid_to_tanh", "tanh_to_sigmoid",
    ],
    "suffice.datasets": [
        "Certified", "Dataset", "Recording", "coin_tosses", "cubic_curve", "diabetes", "fox_sentences",
        "nist_filip", "nist_longley",
        "nist_noint1", "nist_noint2", "nist_norris", "nist_pontius", "nist_wampler1", "nist_wampler2",
        "nist_wampler3", "nist_wampler4", "nist_wampler5", "noisy_line", "olympic_100m_men", "olympic_100m_women",
        "quadratic_curve", "quadratic_surface", "ridge_line", "sinusoid", "sinusoid_10", "three_points",
        "topic_words", "traffic", "two_clouds",
    ],
    "suffice.distributions": [
        "Bernoulli", "Beta", "BetaBinomial", "Binomial", "Categorical", "Detector", "Dirichlet",
        "DirichletMultinomial", "Discrete", "Distribution", "Empirical", "Event", "Expectation", "Gamma",
        "GeneralizedNormal", "Hierarchical", "Histogram", "InverseGamma", "InverseWishart", "JointTable",
        "LaplaceDistribution", "MixtureDistribution", "Multinomial", "MultivariateEmpirical", "MultivariateNormal",
        "MultivariateT", "NegativeBinomial", "Normal",
        "NormalGamma", "NormalInverseWishart", "Poisson", "ProductDistribution", "StudentT", "TruncatedNormal",
        "RegionProbability", "Uniform", "Wishart",
        "gamma_function", "log_evidence", "log_gamma", "posterior", "marginal_density", "region_probability",
        "ball_volume", "central_limit", "change_of_variables", "coin_game", "conjugate_pairs", "decision",
        "detector", "equally_likely", "evidence_grid", "exhaustive", "expectation",
        "expectation_with_error", "fit_prior", "histogram_equalize", "inclusion_exclusion",
        "information", "inverse_cdf_sample", "kl", "kl_method",
        "linear_gaussian", "monte_carlo", "mutually_exclusive", "partitioned_inverse", "product_of_gaussians",
        "required_error_rate", "robbins_monro", "sequential_mean", "shell_volume", "sum_of_gaussians",
        "sum_of_independent",
    ],
    "suffice.engine": [
        "Cluster", "Columns", "Folded", "Processes", "Rows", "Serial", "Threads", "cross_validate", "fit",
        "encoding", "one_blas_thread", "parallel", "reduce", "threads",
    ],
    "suffice.evaluation": [
        "GridSearchCV", "HalvingGridSearchCV", "RandomizedSearchCV", "cross_val_predict", "cross_val_score",
        "train_test_split", "validation_curve",
        "LossShares", "SimplifyToDebug", "loss_shares", "simplify_to_debug",
        "LOSSES", "Adjusted", "Band", "BestThreshold", "BiasVariance", "Brier", "BrierParts",
        "Comparison", "Confusion", "ConfusionCounts", "Consecutive", "Coverage", "ErrorPoint", "ErrorRates",
        "EventCalibration",
        "EvidenceComparison", "ExpectedBayesFactor", "Finding", "IntervalCoverage", "LearningCurve", "Loss",
        "MatchedPairs", "Measured", "Misclassified", "Occam", "OccamFactor", "OneVsRest", "Padded",
        "PerClass", "PitCalibration", "PracticalEquivalence", "PrecisionRecall", "Ranking", "Ranks", "Roc",
        "RepeatedExperiment", "Rolling", "Score", "SearchCV", "Selection", "ThresholdCurves", "TradeOff", "TwoLayer",
        "Validation", "ValidationCost", "ValidationPath", "accuracy_from_counts", "accuracy_interval",
        "bayes_threshold", "bayesian_correlated_t", "best_threshold", "bias_variance", "bias_variance_path",
        "bootstrap_variance", "brier", "calibration", "ceiling", "compare_evidence", "confusion",
        "correlated_interval", "correlated_t", "counts_from_rates", "coverage", "cross_validate", "crps",
        "cv_cost", "delong", "error_interval", "error_rates", "expected_bayes_factor", "expected_cost",
        "friedman", "holm", "interval_coverage", "junk_attributes", "learning_curve", "log_score",
        "matched_pairs", "mcnemar", "mcnemar_from_counts", "mean_difference", "misclassified",
        "monte_carlo_p", "nemenyi", "occam", "occam_factor", "one_standard_error", "one_vs_rest",
        "paired_t", "pit", "precision_recall", "rank_features", "rates_from_counts", "repeated_experiment", "roc",
        "select_features", "signed_rank", "threshold_curves", "top_k", "two_layer", "uniformity",
        "validate_path", "z_test",
        "PairFits", "fit_pairs",
    ],
    "suffice.inference": [
        "PredictorPoints", "Approximation", "GridPosterior", "Inference", "LaplaceApproximation", "LaplacePosterior",
        "Quadrature", "Target", "Samples", "diagnostics",
        "NUTS", "nuts", "MetropolisHastings", "metropolis_hastings", "Bridge", "bridge", "SampledPosterior",
        "MonteCarlo", "dart_score", "monte_carlo", "narrow_ridge", "random_walk", "two_modes",
        "Calibration", "FailedSimulation", "RankCoverage", "RankCurve", "RankHistogram", "calibrate",
        "SumsMaximum", "Constrained", "Converged", "GradientCheck", "Integral", "Iteration", "Laplace", "Optimum",
        "Rejection", "TurningPoint", "check_gradient", "definiteness", "em", "gradient",
        "gradient_descent", "hessian", "laplace", "minimize_subject_to", "newton", "newton_on_sums", "newton_root",
        "normal_expectation", "quadrature", "rejection", "stationary_point", "taylor", "turning_point",
        "Lloyd", "lloyd", "seeds",
    ],
    "suffice.generative": [
        "BayesClassifier", "BernoulliNB", "CategoricalNB", "FisherDiscriminant", "GaussianNB",
        "JointTableClassifier", "LeastSquaresClassifier", "LinearDiscriminantAnalysis", "MixedNB",
        "MultinomialNB", "Perceptron", "QuadraticDiscriminantAnalysis", "RidgeClassifier",
        "RidgeClassifierCV", "mean_difference",
    ],
    "suffice.glm": [
        "BayesianLogisticRegression", "BayesianPoissonRegression", "PredictionComparison",
        "GLM", "LogisticRegression", "LogisticRegressionCV", "PoissonRegression", "PosteriorSurface",
        "GammaRegressor", "PoissonRegressor", "ProbitRegression", "SoftmaxRegression", "posterior_surface",
    ],
    "suffice.likelihoods": [
        "BernoulliLogit", "BernoulliProbit", "CustomLikelihood", "GaussianIdentity", "Likelihood", "PoissonLog",
        "Softmax",
        "BinomialLogit", "GammaLog", "Linked", "NegativeBinomialLog", "linked",
        "ComplementaryLogLog", "Identity", "Link", "Log", "Logit", "Probit", "Reciprocal", "SquareRoot",
    ],
    "suffice.linear": [
        "CoefficientPath", "ElasticNet", "ElasticNetCV", "Lasso", "LassoCV", "QNormRegression", "budget_of",
        "coefficient_path", "with_budget",
        "Crossing", "LeastAbsoluteDeviations", "LeastMeanSquares", "Projection", "Residuals",
        "SimpleLinearRegression", "WorkingTable", "crossover", "projection", "residuals",
        "ARDRegression", "ConjugateLinearRegression", "ModelAverage", "WeightsAndPrecision", "bayesian_model_average",
        "BayesianLinearRegression", "BayesianRidge", "EvidencePath", "LargeSample", "LinearRegression", "Ridge",
        "RidgeCV", "WeightSurface",
        "Interpolant", "interpolate", "evidence_path", "large_sample_precisions", "weight_surface",
    ],
    "suffice.plots": [
        "loss_circles", "loss_shares",
        "influence", "normal_quantiles", "agreement", "baseline_ceiling", "calibration", "class_boundary",
        "calibration_ranks",
        "class_conditionals", "class_regions", "coefficient_path", "coefficients", "comparison",
        "projections", "confusion", "contour", "coverage", "critical_difference", "density", "error_bars",
        "error_rates", "evidence", "evidence_contours", "evidence_path", "forest", "interval_coverage",
        "joint_table", "learning_curve", "misclassified", "pit", "posterior_evolution",
        "practical_equivalence", "precision_recall", "predictive", "residuals", "roc", "sampled_functions",
        "score_densities", "selection_path", "sorted_methods", "spaghetti", "splits", "threshold_curves",
        "trace", "two_layer", "validation_curve", "weight_surface",
        "autocorrelation", "chain_ranks", "chain_trace", "metropolis_steps", "pair_plot",
        "link_functions", "posterior_surface", "prediction_comparison", "sampled_boundaries",
        "box_plot", "correlation_map", "histogram", "jitter", "matrix_plot", "missingness_map",
        "parallel_coordinates", "scatter_3d", "scatter_by_class", "series_chart",
        "bound_trace", "component_selection", "em_film", "mixture_ellipses",
    ],
    "suffice.prepare": [
        "CountVectorizer", "DocumentFrequencies", "TermCounts", "TermDocument", "TfidfTransformer", "term_document",
        "Bins", "BoxStatistics", "CorrelationTable", "MissingCells", "box_statistics", "correlation_table",
        "equal_bins", "missing_cells",
        "ColumnDescription", "Description", "describe",
        "Attribute", "AttributeTypes", "Audit", "AuditFinding", "Task", "allowed_ops", "attribute_types",
        "audit", "infer_task",
        "Affine", "Binarizer", "Centerer", "Dropped", "LogTransform", "OneHotEncoder", "SimpleImputer", "Whitener",
        "Mismatch", "TableEncoder",
        "drop_missing",
        "Balanced", "BasisTransformer", "CalendarFeatures", "Detrended", "Embedding", "Resampled", "Standardizer",
        "class_weights", "detrend", "embed", "interpolate", "oversample", "resample", "undersample",
    ],
    "suffice.similarity": [
        "AxiomCheck", "BinaryCounts", "Counterexample", "binary_counts", "blocks", "check_metric", "check_norm",
        "correlation", "cosine", "extended_jaccard", "frobenius", "gower", "jaccard", "mahalanobis", "minkowski",
        "norm", "similarity_from_distance", "simple_matching", "simple_matching_from_cityblock",
    ],
    "suffice.statistics": [
        "AffineFunction", "ClassStatistics", "ColumnMoments", "ColumnSummary", "Counts", "Fingerprint", "Frame",
        "Header", "LabelCounts", "Layout", "Moments",
        "Pairs", "Partition", "RidgePath", "Solution", "Triangle", "gather", "leave_one_out_merges",
    ],
    "suffice.study": ["CANDIDATES", "CATALOGUE", "Candidate", "Estimates", "Study", "StudyResult", "TableModel"],
}  # fmt: skip


@pytest.mark.parametrize("room", PROMISED)
def test_names_of_a_room(room):
    module = import_module(room)
    assert sorted(module.__all__) == sorted(PROMISED[room])
    assert len(set(module.__all__)) == len(module.__all__)


@pytest.mark.parametrize("room", PROMISED)
def test_every_name_is_there_and_explains_itself(room):
    module = import_module(room)
    assert module.__doc__
    for name in module.__all__:
        value = getattr(module, name)
        assert not callable(value) or value.__doc__, f"{room}.{name} has no docstring"


def test_every_room_is_promised():
    rooms = {f"suffice.{name}" for name in suffice._ROOMS}
    assert rooms == set(PROMISED) - {"suffice"}
    assert set(suffice.__dir__()) == set(PROMISED["suffice"])


def test_unknown_names():
    with pytest.raises(AttributeError, match="module 'suffice' has no attribute 'linaer'"):
        suffice.linaer  # noqa: B018
