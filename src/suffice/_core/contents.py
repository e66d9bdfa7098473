"""What a file may contain: the classes, kind of file by kind of file, and the form of each (`forms.py`).

A class that is not listed here is never made from a file. Nothing listed here calls a function that it was given: there
is no class of the engine that carries work, no basis or likelihood of functions, no splitter around another one. A
field without a form is what its annotation says.
"""

from __future__ import annotations

import re

INPUTS = "n_features_in_: =n; ?feature_names_in_: texts[n]; "
FUNCTION = "function_: Affine; function_.slope: (d, k); function_.layout.header.n_features: =n; "
"?basis_: none | Basis; "
LINEAR = (
    INPUTS + FUNCTION + "?coef_: reals (d) | reals (k, d); "
    "?intercept_: () | (k); ?noise_variance_ml_: loose () | loose (k); ?noise_variance_: loose () | "
    "loose (k); "
    "?effective_parameters_: reals () | reals (k); ?well_determined_parameters_: reals () | reals (k); "
)
TRIANGLE = "statistics_: Triangle; statistics_.layout.header.n_features: =n; "
PENALIZED = (
    LINEAR + TRIANGLE + "noise_variance_ml_: loose () | loose (k); ?n_iter_: int 0.. | whole (k) | (k); "
    "?dual_gap_: reals () | reals (k); "
)
BELIEVED = (
    LINEAR
    + TRIANGLE
    + "?prior_mean: none | () | (*) | list {()}; ?prior_cov: none | () | (*) | (*, *) | list {()} | "
    "list {list {()}}; "
    "?prior_precision_: nonnegative () | nonnegative (k); ?log_evidence_: reals (); "
)
LINKED = (
    INPUTS
    + FUNCTION
    + "?basis_: none | Basis; likelihood_: Likelihood; ?root_: loose (r, *); ?dispersion_: loose (); "
    "coef_: (d) | (*, d); intercept_: () | (*); plan_: Plan; plan_.layout.header.n_features: =n; "
    "plan_.scale: positive (d); statistics_: Slope; statistics_.header.n_features: =n; "
    "log_likelihood_: loose (); "
    "deviance_: loose (); ?null_deviance_: loose (); ?pearson_chi2_: loose (); "
)
CHOSEN_PENALTY = (
    INPUTS + "best_estimator_.n_features_in_: =n; alpha_: nonnegative (); coef_: reals (*) | reals (k, *); "
    "intercept_: () | (k); cv: none | int 2..1000000 | Rolling | Consecutive; "
)
LABELS = "classes_: labels[c]; "
CODED = (  # a column of numbers per class, but for the first where the likelihood leaves it out
    "classes_: labels[c]; classes_: labels[b+2]; plan_.classes: labels[c]; likelihood_.n_classes: =c; "
    "likelihood_.reduced: bit z; function_.slope: (d, c-z) | (d, 1); "
)
CHOSEN = (
    "?prior_mean: none | () | (*) | list {()}; ?prior_cov: none | () | (*) | (*, *) | list {()} | "
    "list {list {()}}; "
    "inference: text | LaplaceApproximation | Quadrature | MetropolisHastings | NUTS; "
    "approximation_: LaplacePosterior | GridPosterior | SampledPosterior; laplace_: LaplacePosterior; "
    "log_evidence_: loose (); ?log_evidence_error_: loose (); "
)
PRIORS = "none | text | (*) | list {()} | dict {()}"
BY_CLASS = (
    INPUTS
    + LABELS
    + "class_count_: nonnegative (c); ?class_log_prior_: logs (c); statistics_: ClassStatistics; "
    "statistics_.header.n_features: =n; statistics_.parts.*.header.n_features: =n; "
    "statistics_.parts.*.layout.header.n_features: =n; "
)
NAIVE = (
    BY_CLASS
    + f"class_prior: {PRIORS}; prior: none | () | Distribution; alpha: nonnegative () | nonnegative (*); "
)
FROM_GAPS = BY_CLASS.replace(" statistics_", " ?statistics_")  # a fit to rows with gaps has no sums
PLANES = "coef_: (1, *) | (c, *); intercept_: (1) | (c); "
MIXED = (
    INPUTS
    + "mixing_: Mixing; mixing_.weights: share (m); mixing_.header.n_features: =n; weights_: share (m); "
    "lower_bounds_: list {reals ()}; lower_bound_: reals (); restarts_: loose (*); "
    "weights_init: none | (*) | list {()}; weights_prior: none | () | (*) | list {()}; "
    "?prior: none | () | (*) | list {()} | Distribution | dict {() | (*) | Distribution}; "
    "random_state: none | int 0..; "
)
LISTED = "none | text | list {any} | dict {any}"


def parts(name: str) -> str:
    """The statistics of the classes; none where a class has no rows."""
    return f"?statistics_.parts: list {{none | {name}}}; "


def as_annotated(listed: str) -> dict[str, str]:
    """Classes whose fields are what their annotations say, room by room: `room: Class Class …`."""
    rooms = re.findall(r"(\w+):([^:]*)(?=\s\w+:|$)", listed)
    return {f"{room}.{name}": "" for room, names in rooms for name in names.split()}


# -- models, their statistics and what both are made of ---------------------------------------------------------
MODELS: dict[str, str] = as_annotated(
    """
    bases: AtData
    _components: Conjugate Diagonal Flat Full Identity OfMeans Spherical Tied
    engine: Columns
    inference: MetropolisHastings NUTS Quadrature
    likelihoods: BernoulliLogit BernoulliProbit ComplementaryLogLog Identity Log Logit PoissonLog Probit
        Reciprocal SquareRoot
    mixtures: BernoulliFamily CategoricalFamily GaussianFamily MixedPlan MultinomialFamily PoissonFamily
    statistics: Fingerprint LabelCounts
    """
) | {
    "baselines.Column": "position: int 0..",
    "baselines.LastValue": f"{INPUTS}column: int | text; column_: int 0..; statistics_: Triangle; "
    "statistics_.layout.header.n_features: =n; noise_variance_ml_: loose () | loose (*)",
    "baselines.MajorityClassifier": f"{INPUTS}{LABELS}class_prior_: share (c); statistics_.header.n_features: =n",
    "baselines.MeanRegressor": f"{LINEAR}{TRIANGLE}noise_variance_: loose () | loose (k); mean_: () | (k)",
    "baselines.MedianRegressor": f"{INPUTS}median_: () | (k); noise_scale_: nonnegative () | nonnegative (k); "
    "n_: nonnegative ()",
    "baselines.PriorClassifier": f"{INPUTS}{LABELS}class_prior_: share (c); statistics_.header.n_features: =n",
    "bases.BasisSearch": "surface: loose (*b)",
    "bases.BasisSum": "bases: list {Basis}",
    "bases.FourierBasis": "n_harmonics: int 1..1000; period: none | positive () | positive (*)",
    "bases.GaussianBasis": "centers: int 1..100000 | (*) | loose (*, *) | AtData; width: none | positive ()",
    "bases.Interactions": "degree: int 2..20",
    "bases.Polynomial": "degree: int 0..500",
    "bases.SigmoidBasis": "centers: int 1..100000 | (*) | loose (*, *); width: none | positive ()",
    "bases.SplineBasis": "knots: int 2..100000 | (*) | loose (*, *); degree: int 0..50",
    "bases.TanhBasis": "centers: int 1..100000 | (*) | loose (*, *); width: none | positive ()",
    "bases.WaveletBasis": "levels: int 1..20; interval: none | (2) | (2, *)",
    "_components.Bernoullis": "probabilities: share (m, n); prior: none | () | Beta",
    "_components.Categoricals": "table: share (t, m); sizes: whole (n) sum t; concentration: none | (t)",
    "_components.ColumnNormals": "means: (m, n); variances: nonnegative (m, n); rule.least: none | (n)",
    "_components.DenseNormals": "means: (m, n); roots: (m, n, n) | (1, n, n); rule.least: none | (n)",
    "_components.Multinomials": "probabilities: share (m, n); prior: none | (n); totals: none | Totals",
    "_components.Poissons": "rates: nonnegative (m, n); prior: none | () | Gamma",
    "_components.Product": "parts: list[g] {Bernoullis | Categoricals | ColumnNormals | DenseNormals | Multinomials | "
    "Poissons}; places: list[g] {list {int 0..}}; plan: none | MixedPlan; "
    "parts.*.means: (m, *); parts.*.probabilities: (m, *); parts.*.rates: (m, *); parts.*.table: (*, m)",
    "_components.Rule": "shape: Diagonal | Full | Identity | Spherical | Tied; reg_covar: nonnegative (); "
    "least: none | nonnegative () | nonnegative (*); prior: none | Conjugate | Flat | OfMeans",
    "_components.Totals": "values: nonnegative (t); probabilities: share (t)",
    "_core.Trace": "objective: loose (*); columns: dict {loose (*) | flags (*) | any}",
    "engine.Folded": "statistics: list {none | Triangle | ClassStatistics | LabelCounts | ColumnMoments | "
    "Moments | Counts | ValueCounts | CellStatistics | DocumentFrequencies | TermCounts}",
    "generative.BayesClassifier": FROM_GAPS
    + parts("DensityStatistics")
    + f"?statistics_.parts.*.parts.*.mean: () | (n); priors: {PRIORS}; "
    "densities_: list[c] {Foreign | Independent | Joint}; "
    "density: text | family | Distribution | BaseEstimator | dict {text | family | Distribution | "
    "BaseEstimator}; densities_.*.estimator.n_features_in_: =n",
    "generative.BernoulliNB": NAIVE
    + parts("ColumnSums")
    + "statistics_.parts.*.sums: (2, n); factors_: Factors; factors_.on: logs (c, n); "
    "cell_count_: nonnegative (c, n); feature_count_: nonnegative (c, n); binarize: none | ()",
    "generative.CategoricalNB": NAIVE
    + parts("CodeCounts")
    + "categories: none | text | list[n] {list {scalar} | texts | reals (*)} | "
    "dict {list {scalar} | texts | reals (*)}; "
    "min_categories: none | int 0.. | whole (*) | list {int 0..}; "
    "category_count_: list[n] {nonnegative (c, *)}; feature_log_prob_: list[n] {logs (c, *)}; "
    "n_categories_: whole (n)",
    "generative.CodeCounts": "sizes: whole (n) sum t; counts: nonnegative (t); header.n_features: =n; "
    "weight: nonnegative (); rows: int 0..",
    "generative.ColumnSums": "sums: (*, *)",
    "generative.DensityStatistics": "parts: list {Moments | ColumnMoments | LogMoments | BinCounts | Counts | "
    "NaturalMean | PrecisionMoments | Range | Sum | Tally | UnitMoments | Triangle}",
    "generative.Factors": "on: logs (c, n); off: logs (c, n)",
    "generative.FisherDiscriminant": BY_CLASS
    + parts("Triangle")
    + f"?coef_: (1, *) | (c, *); ?intercept_: (1) | (c); priors: {PRIORS}; means_: (c, n); xbar_: (n); "
    "directions_: (n, r); eigenvalues_: reals (*); projected_means_: (c, r); "
    "whiteners_: list[c] {Whitener | LiftedWhitener}",
    "generative.Foreign": "estimator: GaussianMixture | BernoulliMixture | CategoricalMixture | MixtureModel | "
    "MultinomialMixture | PoissonMixture",
    "generative.GaussianNB": BY_CLASS
    + parts("ColumnMoments")
    + f"priors: {PRIORS}; prior: none | NormalGamma; theta_: (c, n); std_: nonnegative (c, n); "
    "epsilon_: reals (); posterior_: none | NormalGamma",
    "generative.Independent": "columns: list {Distribution}",
    "generative.Joint": "density: Distribution",
    "generative.JointTableClassifier": BY_CLASS
    + parts("RowCounts")
    + f"priors: {PRIORS}; n_cells_: nonnegative (); alpha: nonnegative ()",
    "generative.LeastSquaresClassifier": f"{INPUTS}{LABELS}{PLANES}{FUNCTION}priors: {PRIORS}; "
    "class_count_: nonnegative (c); statistics_.header.n_features: =n; squared_error_: loose ()",
    "generative.LiftedWhitener": "unit: positive (d); directions: (d, r); shrink: positive (r)",
    "generative.LinearDiscriminantAnalysis": FROM_GAPS
    + parts("Triangle")
    + PLANES.replace("coef_", "?coef_").replace("intercept_", "?intercept_")
    + f"priors: {PRIORS}; prior: none | Distribution; shrinkage: none | text | share (); means_: (c, n); "
    "?scalings_: (n, *); ?xbar_: (n); ?explained_variance_ratio_: loose (*); "
    "?whitener_: Whitener | LiftedWhitener; ?whitener_.matrix: (n, *)",
    "generative.MixedCounts": "kinds: list[n] {text}; header.n_features: =n; weight: nonnegative (); "
    "tables: list {Counts}; rows: int 0..",
    "generative.MixedNB": BY_CLASS
    + parts("MixedCounts")
    + f"priors: {PRIORS}; kinds: none | text | list {{text}} | dict {{text}}; mean_: (c, a); "
    "std_: nonnegative (c, a); rate_: nonnegative (c, *); tables_: list {ValueTable}; "
    "tables_.*.logs: logs (c, *)",
    "generative.MultinomialNB": NAIVE
    + parts("ColumnSums")
    + "statistics_.parts.*.sums: (1, n); feature_count_: nonnegative (c, n); feature_log_prob_: logs (c, n)",
    "generative.Perceptron": f"{INPUTS}{LABELS}coef_: (1, n) | (c, n); intercept_: (1) | (c); "
    "planes_: list {Plane}; planes_.*.weights: (n); radius_: reals (); margin_: loose (*); "
    "bound_: loose (*); mistakes_: whole (*); random_state: none | int 0..",
    "generative.Plane": "weights: (n); constant: (); losses: list {loose ()}; mistakes: list {int 0..}",
    "generative.QuadraticDiscriminantAnalysis": FROM_GAPS
    + parts("Triangle")
    + f"priors: {PRIORS}; prior: none | Distribution; shrinkage: none | text | share (); means_: (c, n); "
    "?whiteners_: list[c] {Whitener | LiftedWhitener}; ?whiteners_.*.matrix: (n, *)",
    "generative.RidgeClassifier": f"{INPUTS}{LABELS}{FUNCTION}class_count_: nonnegative (c); "
    "coef_: reals (d) | reals (1, d) | reals (c, d); intercept_: (1) | (c); statistics_: ClassStatistics; "
    "statistics_.header.n_features: =n; n_iter_: none | whole (*); alpha: nonnegative (); "
    "class_weight: none | text | dict {()}",
    "generative.RidgeClassifierCV": f"{INPUTS}{LABELS}model_: RidgeClassifier; model_.n_features_in_: =n; "
    "model_.classes_: labels[c]; cv: none | int 2..1000000 | Rolling | Consecutive; scoring: none | text; "
    "alpha_: nonnegative (); best_score_: loose (); ?cv_results_: loose (*, *, *)",
    "generative.RowCounts": "columns: list[n] {reals (t) | texts[t] | flags (t)}; counts: nonnegative (t); "
    "header.n_features: =n; rows: int 0..",
    "generative.ValueTable": "values: labels[k]; logs: logs (*, k+2)",
    "generative.Whitener": "root: (r, n); matrix: (n, r); log_root: ()",
    "glm.BayesianLogisticRegression": f"{LINKED}{CODED}{CHOSEN}",
    "glm.BayesianPoissonRegression": f"{LINKED}{CHOSEN}",
    "glm.GLM": f"{LINKED}dispersion_: loose (); likelihood: text | Likelihood; link: none | text | Link",
    "glm.LogisticRegression": f"{LINKED}{CODED}class_weight: none | text | dict {{()}}",
    "glm.Plan": "scale: positive (*); likelihood: Likelihood; start: (*); classes: none | labels",
    "glm.PoissonRegression": f"{LINKED}dispersion_: loose ()",
    "glm.ProbitRegression": f"{LINKED}{CODED}class_weight: none | text | dict {{()}}",
    "glm.GammaRegressor": f"{INPUTS}model_: GLM; model_.n_features_in_: =n; coef_: reals (*); intercept_: ()",
    "glm.LogisticRegressionCV": f"{INPUTS}{LABELS}model_: LogisticRegression; model_.n_features_in_: =n; "
    "model_.classes_: labels[c]; cv: none | int 2..1000000 | Rolling | Consecutive; scoring: none | text; "
    "Cs_: (*); l1_ratios_: any; coefs_paths_: any; scores_: any; n_iter_: any; "
    "C_: positive () | positive (*); l1_ratio_: any",
    "glm.PoissonRegressor": f"{INPUTS}model_: PoissonRegression; model_.n_features_in_: =n; coef_: reals (*); "
    "intercept_: ()",
    "glm.Slope": "rows: int 0..; n: nonnegative (); log_likelihood: loose (); saturated: loose (); "
    "gradient: (*, *); targets: (*, *); gram: none | (g, g) | (*, g, g); factor: none | (*, *); "
    "scatter: none | (*, *) | (*, *, *); curvature: none | (*) | (*, *)",
    "glm.SoftmaxRegression": f"{LINKED}{CODED}class_weight: none | text | dict {{()}}",
    "inference.Bridge": "log_normalizer: loose (); error: loose ()",
    "inference.GridPosterior": "points: (g, p); weights: share (g); reported: (g, *); log_evidence: loose (); "
    "log_evidence_error: loose ()",
    "inference.LaplaceApproximation": "n_samples: int 1..1000000; seed: none | int 0..",
    "inference.LaplacePosterior": "mode: (p); root: (p, *); reported_mode: (q); reported_root: (q, *); "
    "log_evidence: loose ()",
    "inference.SampledPosterior": "functions: (s, *); posterior: Samples",
    "inference.Samples": "draws: (a, b, p); log_density: none | loose (a, b); accepted: none | flags (a, b); "
    "proposed: none | loose (a, b, p); names: texts[p]",
    "likelihoods.BinomialLogit": "trials: int 1.. | positive ()",
    "likelihoods.GammaLog": "shape: positive ()",
    "likelihoods.GaussianIdentity": "precision: positive ()",
    "likelihoods.Linked": "family: Likelihood; by: Link",
    "likelihoods.NegativeBinomialLog": "dispersion: nonnegative ()",
    "likelihoods.Softmax": "n_classes: int 2..100000",
    "linear.ARDRegression": f"{BELIEVED}noise_precision_: positive () | positive (k); "
    "prior_precisions_: loose (*) | loose (k, *); relevance_: reals (*) | reals (k, *); "
    "root_: (k, r, *) | (1, r, *); ?span_: none | RowSpace",
    "linear.BayesianLinearRegression": f"{BELIEVED}noise_precision_: positive () | positive (k); "
    "root_: (k, r, *) | (1, r, *); ?span_: none | RowSpace",
    "linear.BayesianRidge": f"{LINEAR}{TRIANGLE}alpha_: positive () | positive (k); "
    "lambda_: nonnegative () | nonnegative (k); models_: list[k] {BayesianLinearRegression}; "
    "models_.*.n_features_in_: =n; scores_: loose (*) | list {loose (*)}",
    "linear.ConjugateLinearRegression": f"{BELIEVED}root_: (r, *); ?span_: none | RowSpace; "
    "shape_: positive (); rate_: nonnegative () | nonnegative (k)",
    "linear.ElasticNet": f"{PENALIZED}",
    "linear.Interpolant": "x: (n); y: (n) | (n, *); weights: (*) | (*, *)",
    "linear.Lasso": f"{PENALIZED}",
    "linear.LeastAbsoluteDeviations": f"{LINEAR}noise_scale_: nonnegative () | nonnegative (k); "
    "optimality_: reals ()",
    "linear.LeastMeanSquares": f"{LINEAR}noise_variance_: loose () | loose (k); progress_: Progress; "
    "progress_.header.n_features: =n; progress_.weights: (d+1, k) | (d, k); random_state: none | int 0..",
    "linear.LinearRegression": f"{LINEAR}{TRIANGLE}noise_variance_: loose () | loose (k); "
    "noise_variance_ml_: loose () | loose (k); solution_: Solution; dof_: reals (); rank_: int 0..; "
    "aic_: loose (); bic_: loose (); log_likelihood_: loose (); ?noise_covariance_ml_: loose (k, k); "
    "solution_.function.slope: (d, k)",
    "linear.Progress": "gram: (p, p); weights: (p, k); squared_errors: nonnegative (k); rows: int 0..; "
    "steps: int 0..; largest: reals ()",
    "linear.QNormRegression": f"{PENALIZED}kkt_residual_: reals () | reals (k)",
    "linear.Ridge": f"{PENALIZED}alpha: nonnegative () | nonnegative (*) | list {{nonnegative ()}}; "
    "?n_iter_: none | int 0.. | whole (*)",
    "linear.ElasticNetCV": f"{CHOSEN_PENALTY}best_estimator_: ElasticNet; alphas_: (*) | (*, *); "
    "mse_path_: loose (*, *) | loose (*, *, *); l1_ratio_: share (); dual_gap_: reals ()",
    "linear.LassoCV": f"{CHOSEN_PENALTY}best_estimator_: Lasso; alphas_: (*); mse_path_: loose (*, *); "
    "dual_gap_: reals ()",
    "linear.RidgeCV": f"{CHOSEN_PENALTY}best_estimator_: Ridge; best_score_: loose ()",
    "linear.SimpleLinearRegression": f"{INPUTS}coef_: (1); intercept_: (); center_: (); value_: (); "
    "spread_: nonnegative (); dof_: reals (); noise_variance_: loose (); noise_variance_ml_: loose (); "
    "table_: WorkingTable",
    "linear.Unit": "center: (d); scale: positive (d)",
    "linear.WorkingTable": "x: (n); t: (n)",
    "mixtures.BernoulliMixture": f"{MIXED}probabilities_: share (m, n); "
    "probabilities_init: none | (*, *) | list {any}",
    "mixtures.CategoricalMixture": f"{MIXED}categories: {LISTED}; categories_: list[n] {{labels}}; "
    "probabilities_: list[n] {share (m, *)}; probabilities_init: none | list {any}",
    "mixtures.Coding": "words: list[n] {text}; values: list[n] {none | labels}; natural: list[n] {text}",
    "mixtures.GaussianMixture": f"{MIXED}means_: (m, n); covariances_: (m) | (n, n) | (m, n) | (m, n, n); "
    "precisions_: (m) | (n, n) | (m, n) | (m, n, n); "
    "precisions_cholesky_: (m) | (n, n) | (m, n) | (m, n, n); means_init: none | (*, *) | list {any}; "
    "precisions_init: none | (*) | (*, *) | (*, *, *) | list {any}",
    "mixtures.GibbsGaussianMixture": f"{INPUTS}weights_: share (m); means_: (m, n); covariances_: (m, n, n); "
    "prior: none | NormalInverseWishart; prior_: NormalInverseWishart; labels_: whole (s); "
    "best_labels_: whole (s); labels_samples_: whole (*, *, s); draw_weights_: share (q, m); "
    "draw_posteriors_: NormalInverseWishart; draw_posteriors_.mean: (q, m, n); samples_: Samples; "
    "n_components_distribution_: Discrete; random_state: none | int 0..",
    "mixtures.Group": "family: BernoulliFamily | CategoricalFamily | GaussianFamily | MultinomialFamily | "
    "PoissonFamily; places: list {int 0..}; prior: none | () | (*) | Distribution",
    "mixtures.MixtureModel": f"{MIXED}categories: {LISTED}; "
    "components: none | text | dict {any} | list {any}; families_: dict {text}",
    "mixtures.Mixing": "weights: share (m); "
    "components: Bernoullis | Categoricals | ColumnNormals | DenseNormals | Multinomials | "
    "Poissons | Product; concentration: none | () | (m); promised: loose (); header.n_features: =n; "
    "components.means: (m, n); components.probabilities: (m, n); components.rates: (m, n); "
    "components.table: (*, m)",
    "mixtures.MultinomialMixture": f"{MIXED}probabilities_: share (m, n); "
    "probabilities_init: none | (*, *) | list {any}",
    "mixtures.PoissonMixture": f"{MIXED}rates_: nonnegative (m, n); rates_init: none | (*, *) | list {{any}}",
    "prepare.Affine": f"{INPUTS}A: () | (*) | (*, *) | list {{any}}; b: () | (*) | list {{()}}; "
    "state_: AffineMapping; state_.A: (n) | (n, *)",
    "prepare.AffineMapping": "A: (b) | (*, b); b: (b)",
    "prepare.BasisTransformer": f"{INPUTS}basis_: none | Basis",
    "prepare.Binarizer": f"{INPUTS}threshold: () | (*) | list {{()}}; state_.threshold: (n)",
    "prepare.CalendarFeatures": "n_features_in_: =n; ?feature_names_in_: texts[n]",
    "prepare.Categories": "values: texts[k] | reals (k) | flags (k); dropped: none | int 0..; "
    "infrequent: whole (m)",
    "prepare.CellStatistics": "broken: nonnegative (n); moments.header.n_features: =n; "
    "values.header.n_features: =n",
    "prepare.Centerer": f"{INPUTS}mean_: (n); state_.center: (n); statistics_.header.n_features: =n",
    "prepare.Centering": "center: (n)",
    "prepare.CountVectorizer": "dtype: dtype | text; preprocessor: none; strip_accents: none | text; "
    "analyzer: text; stop_words: none | text | list {text}; stem: none | text; "
    "vocabulary: none | list {text} | dict {int 0..}; tokenizer: none; statistics_: TermCounts; "
    "vocabulary_: dict {int 0..}",
    "prepare.DocumentFrequencies": "documents: nonnegative (n); header.n_features: =n; n: nonnegative (); "
    "rows: int 0..",
    "prepare.Fill": "value: scalar",
    "prepare.LevelsCode": "levels: texts[l+1]; names: texts[q]; rare: texts[*]; shares: share (q+1)",
    "prepare.LogTransform": f"{INPUTS}offset: text | () | (*) | list {{()}}; state_.offset: (n)",
    "prepare.Logarithm": "offset: (n)",
    "prepare.NumberCode": "gap: bit g; names: texts[g+1]; fill: (); only: none | list {()}",
    "prepare.OneHotEncoder": f"{INPUTS}categories: {LISTED}; state_: list[n] {{Categories}}; "
    "dtype: dtype | text; min_frequency: none | positive (); max_categories: none | int 1..; "
    "feature_name_combiner: text; statistics_.header.n_features: =n",
    "prepare.RankCode": "gap: bit g; names: texts[g+1]; order: texts[*]; fill: ()",
    "prepare.Scaling": "center: (n); scale: positive (n)",
    "prepare.SimpleImputer": f"{INPUTS}strategy: text | dict {{text}} | list {{text}}; "
    "fill_value: scalar | dict {any} | list {any}; state_: list[n] {Fill}; statistics_.broken: (n)",
    "prepare.Standardizer": f"{INPUTS}mean_: none | (n); var_: none | reals (n); scale_: none | (n); "
    "n_samples_seen_: reals () | reals (n); state_.center: (n); statistics_.header.n_features: =n",
    "prepare.TableEncoder": f"{INPUTS}state_: list {{LevelsCode | NumberCode | RankCode | TimeCode}}; "
    "types: none | dict {text | Attribute}",
    "prepare.TermCounts": "terms: texts[t]; documents: nonnegative (t); occurrences: nonnegative (t); "
    "n: nonnegative (); rows: int 0..",
    "prepare.TfidfTransformer": f"{INPUTS}idf_: reals (n); statistics_.header.n_features: =n",
    "prepare.Threshold": "threshold: (n)",
    "prepare.TimeCode": "gap: bit g; fill: (f); names: texts[f+g]; turns: list {text}",
    "prepare.ValueCounts": "columns: list[n] {Counts}; gaps: nonnegative (n); header.n_features: =n; "
    "weight: nonnegative (); rows: int 0..",
    "prepare.Audit": "n_rows: int 0..",
    "prepare.Finding": "kind: text; n_rows: int 0..; message: text; next_step: text",
    "prepare.Whitener": f"{INPUTS}state_.center: (n); statistics_.layout.header.n_features: =n",
    "prepare.Whitening": "center: (n); matrix: (n, r); back: (r, n)",
    "statistics.Affine": "center: (d); value: (k); slope: (d, k); offset: none | (d)",
    "statistics.ClassStatistics": "counts.counts: (c); "
    "parts: list[c] {none | CodeCounts | ColumnSums | DensityStatistics | MixedCounts | "
    "RowCounts | ColumnMoments | Moments | Triangle}",
    "statistics.ColumnMoments": "n: nonnegative (d); mean: (d); norm: nonnegative (d); header.n_features: =d; "
    "weight: nonnegative (); rows: int 0..",
    "statistics.Counts": "classes: labels[c]; counts: nonnegative (c); rows: int 0..",
    "statistics.Frame": "center: (n); scale: positive (n)",
    "statistics.Header": "n_features: =n; n_features: int 0..10000000; features: none | texts[n]; "
    "basis: none | Basis | Column; n_targets: none | int 0..10000000",
    "statistics.Layout": "shift: (*); header.n_features: =n; frame.center: (n)",
    "statistics.Moments": "n: nonnegative (); rows: int 0..; mean: array () | (d); scatter: array () | (d, d)",
    "statistics.RowSpace": "directions: (*, *); scale: none | (*)",
    "statistics.Solution": "function.slope: (d, k); residual: (*, k); basis: (d, *); null: none | (d, *); "
    "scale: none | (d); constant: list {int 0..}; dependent: list {int 0..}; condition: loose ()",
    "statistics.Triangle": "factor: (*, p); layout.shift: (p-1); rows: int 0..; n: nonnegative (); "
    "log_weight: ()",
    "study.BoundedBayesianPoissonRegression": f"{LINKED}{CHOSEN}largest_: reals ()",
    "study.BoundedPoissonRegression": f"{LINKED}dispersion_: loose (); largest_: reals ()",
    "study.LogNormal": "log_mean: (*b); log_std: nonnegative (*b)",
    "study.LogScale": f"{INPUTS}model: BaseEstimator; model_: BaseEstimator; model_.n_features_in_: =n; "
    "smearing_: positive (); largest_: reals ()",
    "study.MeanCount": f"{LINEAR}{TRIANGLE}noise_variance_: loose () | loose (k); mean_: () | (k)",
    "study.NegativeBinomialRegression": f"{INPUTS}model_.n_features_in_: =n; dispersion_: loose (); "
    "largest_: reals ()",
    "study.OnColumns": f"{INPUTS}model: BaseEstimator; model_: BaseEstimator; columns: list {{int 0..}}",
    "study.SeriesRule": "lags: int 0..100000; season: none | int 1..; waves: int 0..1000; horizon: int 1..",
    "study.ShareRegression": f"{INPUTS}model_.n_features_in_: =n; dispersion_: loose ()",
    "study.Steps": "width: positive ()",
    "study.TableModel": "model: BaseEstimator; widen: positive (); model.n_features_in_: =n",
    "study.TargetRange": "low: reals (); high: reals ()",
}

# -- densities: their own checks run on them once these hold ----------------------------------------------------
DISTRIBUTIONS: dict[str, str] = as_annotated(
    """
    distributions: Range Sum Tally UnitMoments
    """
) | {
    "distributions.Averaged": "weights: share (*); components: any",
    "distributions.Bernoulli": "p: share (*b)",
    "distributions.Beta": "a: positive (*b); b: positive (*b)",
    "distributions.BetaBinomial": "n: nonnegative (*b); a: positive (*b); b: positive (*b)",
    "distributions.BinCounts": "edges: (*); counts: nonnegative (*)",
    "distributions.Binomial": "n: nonnegative (*b); p: share (*b)",
    "distributions.Categorical": "probabilities: share (*b, k); classes: none | (k) | texts[k] | flags (k); "
    "log_probabilities: none | logs (*b, k)",
    "distributions.ConditionalTable": "values: share (*b); names: list {text}; given: list {text}; "
    "labels: list {any}",
    "distributions.Detector": "sensitivity: share (*b); specificity: share (*b); base_rate: share (*b)",
    "distributions.Dirichlet": "alpha: positive (*b, k)",
    "distributions.DirichletMultinomial": "n: nonnegative (*b); alpha: positive (*b, k)",
    "distributions.Discrete": "values: (k); probabilities: share (*b, k)",
    "distributions.Empirical": "values: (*b, k); weight: none | nonnegative (*b, k)",
    "distributions.Gamma": "shape: positive (*b); rate: positive (*b)",
    "distributions.GeneralizedNormal": "loc: (*b); scale: nonnegative (*b); power: positive (*b)",
    "distributions.Histogram": "edges: (k+1); counts: nonnegative (*b, k)",
    "distributions.InverseGamma": "shape: positive (*b); scale: positive (*b)",
    "distributions.InverseWishart": "dof: positive (*b); scale: (*b, p, p)",
    "distributions.JointTable": "values: share (*b); names: list {text}; labels: list {any}",
    "distributions.LaplaceDistribution": "loc: (*b); scale: nonnegative (*b)",
    "distributions.LogMoments": "n: nonnegative (); mean: (); gap: reals ()",
    "distributions.MixtureDistribution": "weights: share (*b, k); components: list[k] {Distribution}",
    "distributions.Multinomial": "n: nonnegative (*b); probabilities: share (*b, k)",
    "distributions.MultivariateEmpirical": "points: (*b, k, p); weight: none | nonnegative (*b, k)",
    "distributions.MultivariateNormal": "mean: (*b, p); cov: (*b, p, p)",
    "distributions.MultivariateT": "dof: reals (*b); loc: (*b, p); scale: (*b, p, p)",
    "distributions.NaturalMean": "n: nonnegative (); mean: () | (*)",
    "distributions.NegativeBinomial": "shape: positive (*b); rate: positive (*b)",
    "distributions.Normal": "mean: (*b); std: nonnegative (*b)",
    "distributions.NormalGamma": "mean: (*b); strength: positive (*b); shape: positive (*b); "
    "rate: positive (*b)",
    "distributions.NormalInverseWishart": "mean: (*b, p); strength: positive (*b); scale: (*b, p, p); "
    "dof: positive (*b)",
    "distributions.Poisson": "rate: nonnegative (*b)",
    "distributions.PrecisionMoments": "n: nonnegative (); precision: (p, p); log_det: (); centre: (p) | (*); "
    "scatter: reals ()",
    "distributions.ProductDistribution": "columns: list {Distribution}",
    "distributions.StudentT": "dof: reals (*b); loc: (*b); scale: nonnegative (*b)",
    "distributions.TruncatedNormal": "loc: (*b); scale: nonnegative (*b); low: reals (*b); high: reals (*b)",
    "distributions.Uniform": "low: (*b); high: (*b)",
    "distributions.Wishart": "dof: positive (*b); scale: (*b, p, p)",
}

# -- results: values to be read, no method of which runs while they are loaded ------------------------------------
RESULTS: dict[str, str] = as_annotated(
    """
    evaluation: TwoLayer Consecutive Rolling Adjusted Band BinaryCounts BrierParts Finding LearningCurve
        MatchedPairs Measured Occam Selection ValidationPath EvidenceComparison
    distributions: Bayes Expectation MonteCarlo
    glm: PosteriorSurface PredictionComparison
    inference: Calibration FailedSimulation Lloyd Optimum RankCoverage RankCurve RankHistogram
    linear: CoefficientPath EvidencePath LargeSample Projection Residuals WeightSurface
    prepare: Attribute AttributeTypes Bins BoxStatistics ColumnDescription CorrelationTable Description
        Finding Mismatch MissingCells TermDocument
    similarity: AxiomCheck Counterexample
    statistics: ColumnSummary Crowd Frequent NumberCounts Numbers PairMoments Powers Ranks Registers
        Texts WordCounts
    """
) | {
    "_core.Validation": "estimate: loose (); statistics: none | Folded",
    "evaluation.Scores": "test: loose (*, *); train: loose (*, *); sizes: (*)",
    "evaluation.SearchCV": "estimator: BaseEstimator; param_grid: dict {any} | list {dict {any}}; "
    "cv: none | int | Rolling | Consecutive; loss: none | text; scoring: none | text; refit: bool; "
    "error_score: loose () | text; pre_dispatch: none | int | text; best_estimator_: BaseEstimator; "
    "best_score_: loose (); perfect_score_: loose ()",
}

MODEL = MODELS | DISTRIBUTIONS | RESULTS
CHECKPOINT = MODEL | {
    "engine.Fingerprint": "",
    "engine.Kept": "state: Iteration; rows: Fingerprint; columns: none | Columns | any",
    "inference.Iteration": "params: dict {any} | any; objective: loose (*); n: nonnegative (); columns: any",
}
PART = MODEL | {"study.Part": "layers: TwoLayer; seconds: nonnegative ()"}
KINDS = {"model": MODEL, "checkpoint": CHECKPOINT, "part": PART}

# densities that a model may name as a class
FAMILIES = frozenset(
    as_annotated(
        """
        distributions: Bernoulli Beta Binomial Categorical Gamma GeneralizedNormal Histogram
            InverseGamma LaplaceDistribution Multinomial MultivariateNormal MultivariateT
            NegativeBinomial Normal Poisson StudentT TruncatedNormal Uniform
        """
    )
)
