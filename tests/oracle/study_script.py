"""Is any model better than the baseline? Asked of a table with scikit-learn, scipy and statsmodels alone.

Plain pipelines are refitted on folds; losses of rows not seen are compared in pairs, at the unit that is independent:

    rows     10 folds, the mean loss of each row                       paired t
    groups   whole groups in a fold, the mean loss of each group       paired t
    time     each block from what came before, one step ahead     Diebold-Mariano (HAC, corrected for few rows)

Rows equal in all features count as one group where they are more than a twentieth. The baseline is the mean or the
class frequencies; in time, the best of the mean, the last value and the value of the same season. The answer is
"better" (p <= 0.05 after Holm), "worse" (no model has a lower loss, and no test of the full model finds anything), or
"open".
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor, RidgeCV
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from statsmodels.stats.multitest import multipletests
from threadpoolctl import threadpool_limits

LEVEL = 0.05
PENALTIES = np.logspace(-3, 4, 15)
FLOOR = 1e-9  # of a probability or a predicted count
SEASON_DAYS = ((10, 52), (45, 12), (120, 4))  # at most so many days between rows, and how many make a year


@dataclass(frozen=True)
class Verdict:
    """What the script says of a table, and by which figures."""

    outcome: str
    best: str
    loss: float
    baseline_loss: float
    p_value: float
    unit: str
    units: int
    full_model_p: float | None

    def __str__(self) -> str:
        second = "" if self.full_model_p is None else f"; full model p = {self.full_model_p:.3g}"
        return (
            f"{self.outcome}: {self.best} {self.loss:.4g} against {self.baseline_loss:.4g}, "
            f"p = {self.p_value:.3g} over {self.units} {self.unit}{second}"
        )


@dataclass(frozen=True)
class Rows:
    """Features and target, and what makes rows dependent."""

    X: pd.DataFrame
    y: np.ndarray
    task: str
    groups: np.ndarray | None = None
    stamps: np.ndarray | None = None
    season: int = 0


def judge(
    table: pd.DataFrame,
    target: str,
    *,
    task: str | None = None,
    group: str | None = None,
    time: str | None = None,
    ignore: Sequence[str] = (),
) -> Verdict:
    """Whether the best of a few plain models is better than the baseline, worse, or neither is known."""
    rows = arranged(pd.DataFrame(table), target, task, group, time, ignore)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        losses = losses_in_time(rows) if rows.stamps is not None else losses_in_folds(rows)
        return verdict(losses, rows)


# -- the table ------------------------------------------------------------------------------------------------
def arranged(
    table: pd.DataFrame,
    target: str,
    task: str | None,
    group: str | None,
    time: str | None,
    ignore: Sequence[str],
) -> Rows:
    """Rows with a known target, in the order of time; features are numbers and names of at most 20 levels."""
    table = table[table[target].notna()]
    table = (table.sort_values(time, kind="stable") if time else table).reset_index(drop=True)
    y = table[target].to_numpy()
    features = [c for c in table if c not in {target, group, time, *ignore} and usable(table[c])]
    stamps = None if time is None else table[time].rank(method="dense").to_numpy().astype(int) - 1
    X = table[features].assign(**({} if stamps is None else {"(trend)": stamps.astype(float)}))
    bools = X.select_dtypes("bool").columns
    X = X.astype(dict.fromkeys(bools, float))
    groups = table[group].to_numpy() if group else copies(X) if time is None else None
    return Rows(X, y, task or task_of(y), groups, stamps, season_of(table[time]) if time else 0)


def usable(column: pd.Series) -> bool:
    """Numbers that vary, and names with few levels."""
    if column.dtype.kind == "M":
        return False
    return column.nunique() > 1 and (column.dtype.kind in "iufb" or column.nunique() <= 20)


def task_of(y: np.ndarray) -> str:
    """Labels, whole numbers from 0 on, or any numbers."""
    if y.dtype.kind not in "iuf":
        return "binary" if len(set(y)) == 2 else "multi-class"
    return "counts" if np.all(y >= 0) and np.all(y == np.round(y)) and len(set(y)) > 2 else "regression"


def copies(X: pd.DataFrame) -> np.ndarray | None:
    """Groups of rows equal in all features, where they are more than a twentieth."""
    if not len(X.columns):
        return None
    number = X.groupby(list(X.columns), dropna=False, sort=False).ngroup().to_numpy()
    return number if len(set(number)) < 0.95 * len(X) else None


def season_of(times: pd.Series) -> int:
    """How many rows make a year, by the typical step; 0 where there is no season."""
    if times.dtype.kind != "M" or times.duplicated().any():
        return 0
    days = times.diff().dt.days.median()
    return next((steps for most, steps in SEASON_DAYS if days <= most), 0)


# -- models and losses ----------------------------------------------------------------------------------------
def models(task: str) -> dict[str, Any]:
    """A few plain models of each kind of target."""
    if task == "regression":
        found = {"least squares": LinearRegression(), "ridge": RidgeCV(PENALTIES)}
    elif task == "counts":
        found = {
            "Poisson": PoissonRegressor(alpha=1e-4, solver="newton-cholesky"),
            "shrunken Poisson": PoissonRegressor(alpha=0.3, solver="newton-cholesky"),
            "ridge": RidgeCV(PENALTIES),
        }
    else:
        found = {
            "logistic": LogisticRegression(max_iter=3000),
            "shrunken logistic": LogisticRegression(C=0.05, max_iter=3000),
            "LDA": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
            "naive Bayes": GaussianNB(var_smoothing=1e-2),
        }
    return {name: make_pipeline(encoder(), model) for name, model in found.items()}


def encoder() -> Any:
    """Names one-hot; gaps by the mean; all standardized."""
    names = make_pipeline(
        SimpleImputer(strategy="constant", fill_value="(gap)"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    return make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (names, make_column_selector(dtype_exclude="number")),
    )


def loss(task: str, y: np.ndarray, predicted: np.ndarray, classes: Sequence[Any]) -> np.ndarray:
    """Squared error, Poisson deviance, or log loss, row by row."""
    if task == "regression":
        return (y.astype(float) - predicted) ** 2
    if task == "counts":
        mean = np.maximum(predicted, FLOOR)
        ratio = np.where(y > 0, y / mean, 1.0)
        return 2 * (y * np.log(ratio.astype(float)) - y + mean)
    place = {label: k for k, label in enumerate(classes)}
    return -np.log(np.maximum(predicted[np.arange(len(y)), [place[v] for v in y]], FLOOR))


def predicted_by(
    model: Any, rows: Rows, train: np.ndarray, test: np.ndarray, classes: Sequence[Any]
) -> np.ndarray:
    """Means, or probabilities of all classes, of rows not seen."""
    y = rows.y[train]
    if rows.task in ("regression", "counts"):
        floor = 0.1 * y.mean() if rows.task == "counts" else -np.inf
        return np.maximum(model.fit(rows.X.iloc[train], y.astype(float)).predict(rows.X.iloc[test]), floor)
    found = np.zeros((len(test), len(classes)))
    if len(set(y)) > 1:
        model.fit(rows.X.iloc[train], y)
        found[:, [list(classes).index(label) for label in model.classes_]] = model.predict_proba(
            rows.X.iloc[test]
        )
    return found


def baseline_by(rows: Rows, train: np.ndarray, test: np.ndarray, classes: Sequence[Any]) -> np.ndarray:
    """The mean, or the class frequencies (one row more of each class, so that none is impossible)."""
    y = rows.y[train]
    if rows.task in ("regression", "counts"):
        return np.full(len(test), y.astype(float).mean())
    share = np.array([np.sum(y == label) + 1.0 for label in classes])
    return np.tile(share / share.sum(), (len(test), 1))


# -- losses by unit -------------------------------------------------------------------------------------------
Losses = dict[str, np.ndarray]


def losses_in_folds(rows: Rows) -> Losses:
    """The mean loss of each row over repeated folds, or of each group."""
    classes = sorted(set(rows.y)) if rows.task in ("binary", "multi-class") else ()
    total = {name: np.zeros(len(rows.y)) for name in ("baseline", *models(rows.task))}
    splits = list(folds(rows))
    for train, test in splits:
        found = baseline_by(rows, train, test, classes)
        total["baseline"][test] += loss(rows.task, rows.y[test], found, classes)
        for name, model in models(rows.task).items():
            found = predicted_by(model, rows, train, test, classes)
            total[name][test] += loss(rows.task, rows.y[test], found, classes)
    repeats = sum(len(test) for _, test in splits) / len(rows.y)
    return {name: by_unit(each / repeats, rows.groups) for name, each in total.items()}


def folds(rows: Rows) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Ten folds, three times where rows are few; groups stay whole."""
    n = len(rows.y) if rows.groups is None else len(set(rows.groups))
    k, repeats = min(10, n), 3 if len(rows.y) <= 60 else 1
    for seed in range(repeats):
        kind = KFold if rows.groups is None else GroupKFold
        yield from kind(k, shuffle=True, random_state=seed).split(rows.X, groups=rows.groups)


def by_unit(values: np.ndarray, groups: np.ndarray | None) -> np.ndarray:
    """Values of rows, or their mean in each group."""
    return values if groups is None else pd.Series(values).groupby(groups).mean().to_numpy()


def losses_in_time(rows: Rows) -> Losses:
    """The mean loss of each stamp; blocks are predicted from what came before, and values up to t - 1 are known."""
    steps = int(rows.stamps.max()) + 1
    classes = sorted(set(rows.y)) if rows.task in ("binary", "multi-class") else ()
    designs = designs_in_time(rows)
    total: Losses = {}
    for before, block in blocks(steps):
        train, test = np.isin(rows.stamps, before).nonzero()[0], np.isin(rows.stamps, block).nonzero()[0]
        found = {"mean": baseline_by(rows, train, test, classes)}
        if rows.task in ("regression", "counts"):
            found |= {name: each[test] for name, each in past_values(rows).items()}
        for (design, X), (name, model) in (
            (d, m) for d in designs.items() for m in models(rows.task).items()
        ):
            known = Rows(X, rows.y, rows.task)
            found[f"{name} {design}"] = predicted_by(model, known, train, test, classes)
        for name, each in found.items():
            values = by_unit(loss(rows.task, rows.y[test], each, classes), rows.stamps[test])
            total[name] = np.append(total.get(name, []), values)
    return with_better_baseline(total)


def blocks(steps: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Ten blocks of equal size, fewer where there are few steps; the first third of the steps is for training alone."""
    number = min(10, max(2, steps // 4))
    size = max(1, (steps - steps // 3) // number)
    return TimeSeriesSplit(number, test_size=size).split(np.arange(steps))


def with_better_baseline(total: Losses) -> Losses:
    """The best of the mean, the last value and the value of the same season is the baseline."""
    simple = [name for name in ("mean", "last", "same season") if name in total]
    best = min(simple, key=lambda name: total[name].mean())
    return {"baseline": total[best]} | {name: v for name, v in total.items() if name not in simple}


def past_values(rows: Rows) -> dict[str, np.ndarray]:
    """The mean of the stamp before and, where there is a season, of that a year before."""
    means = pd.Series(rows.y.astype(float)).groupby(rows.stamps).mean()
    shifts = {"last": 1} | ({"same season": rows.season} if rows.season else {})
    return {name: means.shift(k).bfill().to_numpy()[rows.stamps] for name, k in shifts.items()}


def designs_in_time(rows: Rows) -> dict[str, pd.DataFrame]:
    """The columns as they are; the last values; both."""
    found = {"of columns": rows.X}
    if rows.task in ("regression", "counts"):
        means = pd.Series(rows.y.astype(float)).groupby(rows.stamps).mean()
        lags = [1, 2, 3] + ([rows.season, rows.season + 1] if rows.season else [])
        past = pd.DataFrame({f"(lag {k})": means.shift(k).bfill().to_numpy()[rows.stamps] for k in lags})
        found |= {"of lags": past, "of both": pd.concat([rows.X, past], axis=1)}
    return found


# -- the test -------------------------------------------------------------------------------------------------
def verdict(losses: Losses, rows: Rows) -> Verdict:
    """Paired tests of every model against the baseline, corrected by Holm."""
    names = [name for name in losses if name != "baseline"]
    saved = {name: losses["baseline"] - losses[name] for name in names}
    paired = long_run_p if rows.stamps is not None else paired_p
    corrected = dict(
        zip(names, multipletests([paired(saved[n]) for n in names], method="holm")[1], strict=True)
    )
    best = min(
        names, key=lambda name: (corrected[name] if saved[name].mean() > 0 else 2.0, losses[name].mean())
    )
    second = full_model_p(rows) if rows.stamps is None and rows.groups is None else None
    if saved[best].mean() > 0 and corrected[best] <= LEVEL:
        outcome = "better"
    elif saved[best].mean() <= 0 and (second is None or second > LEVEL):
        outcome = "worse"
    else:
        outcome = "open"
    unit = "stretches" if rows.stamps is not None else "rows" if rows.groups is None else "groups"
    means = {name: float(values.mean()) for name, values in losses.items()}
    return Verdict(
        outcome, best, means[best], means["baseline"], float(corrected[best]), unit, len(saved[best]), second
    )


def paired_p(saved: np.ndarray) -> float:
    """Two-sided paired t."""
    return 1.0 if np.ptp(saved) == 0 else float(stats.ttest_1samp(saved, 0.0).pvalue)


def long_run_p(saved: np.ndarray) -> float:
    """Diebold-Mariano: Bartlett weights up to n^(1/3) lags, the correction of Harvey, Leybourne and Newbold."""
    n = len(saved)
    if np.ptp(saved) == 0:
        return 1.0
    lags = int(np.floor(n ** (1 / 3)))
    centred = saved - saved.mean()
    autocovariance = [centred[k:] @ centred[: n - k] / n for k in range(lags + 1)]
    weights = [1.0] + [2 * (1 - k / (lags + 1)) for k in range(1, lags + 1)]
    variance = float(np.dot(weights, autocovariance)) / n
    h = lags + 1
    correction = np.sqrt((n + 1 - 2 * h + h * (h - 1) / n) / n)
    return float(2 * stats.t.sf(abs(saved.mean()) / np.sqrt(variance) * correction, n - 1))


def full_model_p(rows: Rows) -> float | None:
    """A second opinion: F test (squares), quasi-likelihood F test (counts), likelihood ratio (classes)."""
    design = np.asarray(encoder().fit_transform(rows.X))
    values, sizes, _ = np.linalg.svd(design - design.mean(axis=0), full_matrices=False)
    kept = values[:, sizes > 1e-8 * max(sizes.max(initial=0.0), 1.0)]
    n, p = kept.shape
    if p == 0 or n - p - 1 < 3:
        return None
    full = sm.add_constant(kept * np.sqrt(n))
    if rows.task == "regression":
        return float(sm.OLS(rows.y.astype(float), full).fit().f_pvalue)
    if rows.task == "counts":
        fit = sm.GLM(rows.y.astype(float), full, family=sm.families.Poisson()).fit()
        dispersion = max(fit.pearson_chi2 / fit.df_resid, FLOOR)
        return float(stats.f.sf((fit.null_deviance - fit.deviance) / p / dispersion, p, fit.df_resid))
    return likelihood_ratio_p(full, rows.y, p)


def likelihood_ratio_p(full: np.ndarray, y: np.ndarray, p: int) -> float:
    """Of logistic or softmax regression with next to no penalty, against the frequencies."""
    labels, codes = np.unique(y.astype(str), return_inverse=True)
    model = LogisticRegression(C=1e6, max_iter=5000).fit(full[:, 1:], codes)
    fitted = np.log(np.maximum(model.predict_proba(full[:, 1:])[np.arange(len(y)), codes], FLOOR)).sum()
    share = np.bincount(codes) / len(codes)
    return float(stats.chi2.sf(2 * (fitted - np.log(share[codes]).sum()), p * (len(labels) - 1)))
