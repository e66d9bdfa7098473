"""What files call classes and fields that have another name by now: old files load, and old versions read new ones."""

from __future__ import annotations

from typing import Any

STORED_AS: dict[str, str] = {
    "_components.BernoulliFamily": "mixtures.BernoulliFamily",
    "_components.CategoricalFamily": "mixtures.CategoricalFamily",
    "_components.ClassFamily": "mixtures.ClassFamily",
    "_components.Coding": "mixtures.Coding",
    "_components.ColumnNormalSums": "_components.ColumnSums",
    "_components.GaussianFamily": "mixtures.GaussianFamily",
    "_components.Group": "mixtures.Group",
    "_components.GroupSample": "mixtures.Sample",
    "_components.IdentityShape": "_components.Identity",
    "_components.MixedPlan": "mixtures.MixedPlan",
    "_components.MultinomialFamily": "mixtures.MultinomialFamily",
    "_components.PoissonFamily": "mixtures.PoissonFamily",
    "_components.RowsWithGaps": "_components.Given",
    "cli.GalleryScript": "cli.Script",
    "engine.MemoryPart": "engine.Here",
    "engine.PartOutcome": "engine.Outcome",
    "engine.PassResult": "engine.Seen",
    "engine.RowsFingerprint": "engine.Fingerprint",
    "engine.SampledRows": "engine.Sample",
    "evaluation.AreaMoments": "evaluation.Moments",
    "evaluation.CandidateLine": "evaluation.Line",
    "evaluation.ConfusionCounts": "evaluation.BinaryCounts",
    "evaluation.EventCalibration": "evaluation.Calibration",
    "evaluation.FoldMean": "evaluation.Measured",
    "evaluation.HeldOutFolds": "evaluation.Held",
    "evaluation.ScaledPowers": "evaluation.Powers",
    "evaluation.ScoreTally": "evaluation.Tally",
    "evaluation.SimulatedSets": "evaluation.Sample",
    "evaluation.SubsetsFound": "evaluation.Found",
    "evaluation.ValidationTable": "evaluation.Table",
    "generative.ClassWhitener": "generative.Whitener",
    "generative.ExpectedClasses": "generative.Expectation",
    "generative.FittedFamily": "generative.Family",
    "generative.KnownCells": "generative.Columns",
    "generative.PerceptronRule": "generative.Rule",
    "generative.ScatterPart": "generative.Part",
    "glm.PassSums": "glm.Slope",
    "glm.PrecisionFound": "glm.Found",
    "glm.RawColumns": "glm.Columns",
    "inference.ShiftedRows": "inference.Rows",
    "linear.ActivePosterior": "linear.Here",
    "linear.GaussianPrior": "linear.Prior",
    "linear.RegressionFunctions": "linear.Functions",
    "linear.TableauProblem": "linear.Problem",
    "linear.UncertainLine": "linear.Line",
    "mixtures.DrawingPlan": "mixtures.Plan",
    "mixtures.ExpectedSums": "mixtures.Expectation",
    "mixtures.GibbsProblem": "mixtures.Problem",
    "mixtures.MixtureCandidate": "mixtures.Candidate",
    "mixtures.MixtureTrial": "mixtures.Trial",
    "mixtures.WeightedTable": "mixtures.Table",
    "plots.PlotPlane": "plots.Plane",
    "prepare.AuditFinding": "prepare.Finding",
    "prepare.BatchWork": "prepare.Summing",
    "prepare.CalendarPart": "prepare.Part",
    "prepare.HeldCategories": "prepare.Held",
    "prepare.NumberColumns": "prepare.Numbers",
    "prepare.NumberTable": "prepare.Columns",
    "statistics.AffineFunction": "statistics.Affine",
    "statistics.SketchedCounts": "statistics.Crowd",
    "statistics.RankSketch": "statistics.Ranks",
    "study.ComparedModels": "study.Candidates",
    "study.LargestDraws": "study.Family",
    "study.ModelComparison": "study.Comparison",
    "study.PredictiveChecks": "study.Predictive",
    "study.SeriesLine": "study.Line",
    "study.StudyColumn": "study.Column",
    "study.StudyRows": "study.Rows",
    "study.StudySource": "study.Source",
    "study.TrialPart": "study.Part",
}

# fields of records, by the name of the class in files
FIELDS_STORED_AS: dict[str, dict[str, str]] = {"glm.Slope": {"curvature": "bend"}}


def to_stored(name: str, items: dict[str, Any]) -> dict[str, Any]:
    """The fields of a class by the names that files give them."""
    names = FIELDS_STORED_AS.get(name, {})
    return {names.get(k, k): v for k, v in items.items()}


def from_stored(name: str, items: dict[str, Any]) -> dict[str, Any]:
    """The fields that a file gives a class by the names they have by now."""
    names = {stored: now for now, stored in FIELDS_STORED_AS.get(name, {}).items()}
    return {names.get(k, k): v for k, v in items.items()}
